"""Words: where they begin and end, what they are found by, and that no text is too strange or too long."""

import string
import unicodedata

import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st

from hippocore.word_patterns import _of_ascii, _of_unicode
from hippocore.words import read_words

# Letters of every sort of script, marks, numbers, what joins identifiers, and what is not shown.
CHARACTERS = (
    "aBcS'’.,:;/\\@_-+#0 1\n éßІя̈́ʼאבש\"״عم"
    "東京のはデーー서울에서ไปมน้ำລາວខ្មែរ〇々½²ﬁ①👩\u200d\u200b\u200c\u00ad\ufe0f\ud800"
)
STRANGE = st.text(alphabet=st.one_of(st.sampled_from(CHARACTERS), st.characters(categories=None)), max_size=40)
IN_ASCII = st.text(alphabet=st.sampled_from(string.ascii_letters[:8] + "STs019'.,:;/\\@_-+#!()[]\"* \n"), max_size=40)


def terms(text):
    return read_words(text).terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada's dogs, running!", ["ada", "dog", "run"]),
        ("ADA’S", ["ada"]),
        ("don’t we've", ["don't", "we've"]),
        ("fetchTool", ["fetchtool", "fetch", "tool"]),
        ("ERR_CONN_RESET", ["err_conn_reset", "err", "conn", "reset"]),
        ("a/b.ts", ["a/b.ts", "a", "b.ts", "b", "ts"]),
        ("HTTPServer PDFs", ["httpserver", "http", "server", "pdfs"]),
        ("sha256 3pm", ["sha256", "sha", "256", "3pm", "3", "pm"]),
        ("std::vector<int>", ["std::vector", "std", "vector", "int"]),
        ("C++, C# or C", ["c++", "c", "c#", "c", "or", "c"]),
        ("1,000.5", ["1,000.5", "1", "000", "5"]),
        ("l'homme O'Brien", ["l'homme", "l", "homm", "o'brien", "o", "brien"]),
        ("Straße ÉTÉ cafe\u0301", ["strass", "été", "café"]),
        ("Häuser привет", ["häuser", "привет"]),
        ("soft\u00adhyphen می\u200cخواهم", ["softhyphen", "میخواهم"]),
        ("ﬁne ｆｕｌｌ", ["fine", "full"]),
        ("北京", ["北京", "北", "京"]),
        ("猫", ["猫"]),
        ("データ", ["デー", "ータ"]),
        ("API는", ["api", "는"]),
        ("서울에서", ["서울", "울에", "에서", "서"]),
        ("ดีมาก", ["ดีม", "มา", "าก", "ดี"]),
        ("", []),
        ("?! … — ___ ' :: 👩\u200d👩\u200d👧 ❤️ \u0301\u0301 \ud800", []),
    ],
)
def test_a_text_has_these_terms(text, expected):
    assert terms(text) == expected


@pytest.mark.parametrize(
    ("sentence", "word"),
    [
        ("东京都的人口很多", "人口"),
        ("昨日、新しい猫が来た", "猫"),
        ("データベースを移した", "ベース"),
        ("지난주에 서울에서 만났다", "서울"),
        ("물을 마셨다", "물"),
        ("เมื่อวานผมไปตลาดกับแม่", "ตลาด"),
        ("ฉันรักน้ำ", "น้ำ"),
        ("ຂ້ອຍຢູ່ວຽງຈັນ", "ວຽງຈັນ"),
        ("ខ្ញុំស្រឡាញ់ភ្នំពេញ", "ភ្នំពេញ"),
    ],
)
def test_a_word_inside_a_sentence_without_spaces_is_found_without_a_dictionary(sentence, word):
    assert set(terms(word)) <= set(terms(sentence))


def test_words_are_in_order_and_the_parts_of_identifiers_are_not_among_them():
    assert read_words("The fetchTool of a/b.ts: C++ in 東京都").words == [
        "the", "fetchtool", "of", "a", "b.ts", "c", "in", "東京", "京都",
    ]  # fmt: skip


@given(IN_ASCII)
@example("a'_'b")
@example("S's.")
@example("a:/b")
def test_the_two_sets_of_patterns_agree_on_ascii(text):
    ascii_patterns, unicode_patterns = _of_ascii(), _of_unicode()
    chains = [match[0] for match in ascii_patterns.chain.finditer(text)]
    assert chains == [match[0] for match in unicode_patterns.chain.finditer(text)]
    for chain in chains:
        words = ascii_patterns.word.findall(chain)
        assert words == unicode_patterns.word.findall(chain)
        assert [ascii_patterns.border.split(word) for word in words] == [
            unicode_patterns.border.split(word) for word in words
        ]


@given(IN_ASCII)
@example("*Dogs.*")
@example("(S's)")
def test_a_plain_word_between_marks_is_read_as_the_patterns_read_it(text):
    # Behind a character that no pattern takes, nothing is a plain word.
    assert read_words(text) == read_words(f"\x1f{text}")


@given(STRANGE)
@example('צה"ל')
@example("a\u0345b ǅ İ ŉ")
def test_any_text_is_read_and_each_word_is_a_term(text):
    found = read_words(text)
    assert set(found.words) <= set(found.terms)
    assert all(found.terms)


@given(st.text(alphabet=st.sampled_from("aBéßΩяع\u0301नमि'’.·,;_‿⁄- /!?12٣٤½€😀"), max_size=30))
@example("l'été. 3.14,15; 1⁄2 a.b'c_d न्मि")
def test_words_end_where_uax_29_ends_them(text):
    text = unicodedata.normalize("NFKC", text)
    expected = [piece for piece in regex.split(r"(?V1w)\b", text) if regex.search(r"[\p{L}\p{N}\p{Pc}]", piece)]
    assert _of_unicode().word.findall(text) == expected


LONG = {
    "one letter": "a", "letters and marks": "e\u0301\u0323", "marks": "\u0301", "cases": "aB", "underscores": "_",
    "snakes": "a_", "slashes": "a/", "colons": "::", "letters and digits": "a1", "apostrophes": "é'", "commas": "1,",
    "ideographs": "東京", "Thai": "สวัสดีครับ", "emoji": "👩\u200d👧", "spaces": " ", "words": "ab ",
}  # fmt: skip


@pytest.mark.parametrize("piece", LONG.values(), ids=LONG)
def test_a_hundred_thousand_characters_are_read_as_a_hundred_are(piece):
    short, long = ((piece * (length // len(piece))) for length in (100, 100_000))
    assert bool(terms(long)) == bool(terms(short))
    assert len(terms(long)) <= 2_100 * max(1, len(terms(short)))
