"""The pairs by which the rules of corrections were tuned; bench/correction_pairs.py says what a line means."""

from __future__ import annotations

TUNING = """
= Ada has 5 years of Go | Ada has 6 years of Go
= Ada has five years of Go | Ada has 6 years of Go
= The team has 12 engineers | The team has fourteen engineers
= The request limit is 100 per minute | The request limit is 250 per minute
= The backup takes 40 minutes | The backup takes 55 minutes
= The API rate limit is 1,000 requests | The API rate limit is 2,000 requests
= The server has 16 GB of memory | The server has 32 GB of memory
= The service listens on port 8080 | The service listens on port 9090
= Port: 5432 | Port: 6432
= The project uses Python 3.10 | The project uses Python 3.12
= Bob is 41 years old | Bob is 42 years old
= The deadline is 3 May | The deadline is 10 May
= The deadline is Friday | The deadline is Monday
= The release is scheduled for March | The release is scheduled for April
= The stand-up starts at 9:30 | The stand-up starts at 10:00
= The retro is on Tuesday | The retro was moved to Thursday
= The launch is on 2025-06-01 | The launch is on 2025-07-01
= Ada lives in Paris | Ada moved to Berlin
= Ada lives in Paris | Ada lives in Berlin
= I live in Rome | I moved to Milan
= The user lives in Boston | The user has moved to Denver
= Ada works at Initech | Ada works at Globex
= Ada works for Initech | Ada joined Globex
= The logs are stored in S3 | The logs are stored in Postgres
= The staging database is at db1, port 5432 | The staging database moved to pg2, port 6432
= The service is written in Go | The service was rewritten in Rust
= Ada's manager is Bob | Ada's manager is Carol
= Carol is the team lead | Dan is the team lead
= My favourite colour is blue | My favorite color is green
= The default branch is master | The default branch is main
= The build tool is Make | The build tool is Ninja
= The user's name is Jon | The user's name is Jonathan Smith
= Ada likes tea | Ada does not like tea
= Ada likes cilantro | Ada doesn't like cilantro anymore
= Bob eats meat | Bob no longer eats meat
= Bob works at Acme as an engineer | Bob no longer works at Acme
= The cache is enabled | The cache is disabled
= The user prefers dark mode | The user prefers light mode
= The repository is public | The repository is private
= Ada likes olives | Ada hates olives
= Ada uses vim | Ada uses emacs instead of vim
= The team uses Jenkins | The team switched from Jenkins to Buildkite
= Ada drives a Tesla | Actually, Ada drives a Volvo
= Ada drinks coffee | Ada now drinks tea
= The price is 10 euros | The price was raised to 12 euros
= The budget is 5000 dollars | The budget was increased to 8000 dollars
= Ada works at Initech | Ada left Initech
= Use tabs for indentation | Use spaces for indentation
= Er hat seit Mai 5 Jahre Erfahrung | Er hat seit Mai 6 Jahre Erfahrung
= The user wants replies in English | Actually, the user wants replies in French
! Bob never drinks coffee in the morning | In the morning Bob drinks coffee
! The cache is enabled in production | In production the cache is disabled
! Never push to main | You may push to main
! Ada prefers tea over coffee | Ada prefers coffee over tea
! The server has 16 GB of memory | Memory of the server: 32 GB
! Deploys on Fridays are allowed | On Fridays deploys are forbidden
! The tests must not use the network | The network can be used by the tests
! For lint we always run ruff | We never run ruff for lint
+ Item 17 of 40 | Item 18 of 40
+ This is item 17 of 40 | This is item 18 of 40
+ Step 3 is to install the package | Step 4 is to install the package
+ Chapter 4 is about trees | Chapter 5 is about trees
+ Ada is reading page 12 | Ada is reading page 13
+ Room 12 has 20 seats | Room 13 has 20 seats
+ Server 3 runs Debian | Server 4 runs Debian
+ Version 2 of the API is stable | Version 3 of the API is stable
+ 1. Install the package | 2. Install the package
+ Question 5 is worth 3 points | Question 6 is worth 3 points
+ Ada has 5 years of Go | Bob has 5 years of Go
+ Ada has 5 years of Go | Bob has 6 years of Go
+ Ada has 5 years of Go | Ada has 6 years of Rust
+ Ada has 2 cats | Ada has 3 dogs
+ Ada speaks French | Ada speaks German
+ Ada likes tea | Ada likes coffee
+ Ada knows Python | Ada knows Rust
+ Ada ran 5 km | Ada ran 6 km
+ Ada visited Rome in May | Ada visited Rome in June
+ In 2023 the revenue was 5 million | In 2024 the revenue was 6 million
+ The revenue in 2023 was 5 million | The revenue in 2024 was 5 million
+ On Monday Ada weighed 61 kg | On Friday Ada weighed 62 kg
+ Ada paid 5 euros for lunch | Ada paid 6 euros for lunch
+ Ada lives in Paris | Ada also lives in Berlin
+ Ada lives in Paris | Ada lives in Paris, France
+ Ada lives in Paris | Bob lives in Berlin
+ Ada lives in Berlin | Ada lives in Germany
+ Ada lives in Paris in winter | Ada lives in Berlin in summer
+ Ada lives in Paris | Ada works in Berlin
+ Ada moved to Berlin | Ada moved to the platform team
+ Ada is in Berlin | Ada is in a meeting
+ Ada is tall | Ada is kind
+ Ada is a doctor | Ada is a mother
+ Ada's friend is Bob | Ada's friend is Carol
+ Ada is Tim's sister | Zoe is Tim's sister
+ Ada owns a car | Bob owns a car
+ Ada owns a car | Ada owns a boat
+ The shop opens at 9 on Saturdays | The shop opens at 10 on Sundays
+ The shop opens at 9 | The shop closes at 10
+ The meeting is on Tuesday | The meeting is on Zoom
+ The database supports 3 regions | The database supports JSON
+ The service depends on Redis | The service depends on Kafka
+ Run the tests before you push | Run the linter before you push
+ Use pytest for tests | Use ruff for linting
+ Ada does not like tea | Ada does not like coffee
+ Ada did not eat lunch | Ada ate lunch
+ The team uses Python | The team switched to Buildkite
+ Ada has 5 years of Java | Ada switched from Java to Go
+ The user asked about flights to Rome | The user asked about flights to Oslo
+ Buy 2 apples | Buy 3 pears
+ Seite 17 von 40 ist gelesen | Seite 18 von 40 ist gelesen
+ Der Schritt 3 ist fertig | Der Schritt 4 ist fertig
+ Ada is happy today | Ada is tired today
+ The tests pass on Linux | The tests pass on macOS
+ The API returns JSON | The API returns XML
+ Ada plays tennis on Mondays | Ada plays tennis on Wednesdays
+ The cache is enabled in production | The cache is disabled in development
+ Never push to main | Never push to release
+ Ada prefers tea over coffee | Ada prefers tea over beer
! Cats are allowed in the flat | In the flat cats are forbidden
! The report has 20 pages | 30 pages is what the report has
! Ada eats breakfast at home | At home Ada does not eat breakfast
! At work Ada prefers Linux over macOS | Ada prefers macOS over Linux at work
! The door to the archive is open | The archive door is closed
! Merging without review is forbidden | It is allowed to merge without review
! The key must not be shared with vendors | The key may be shared with vendors
! Passwords are stored encrypted in the vault | In the vault passwords are stored unencrypted
! For releases we use signed tags | We use unsigned tags for releases
! The job runs automatically at night | At night the job runs manually
+ The left wheel has 5 bolts | The right wheel has 5 bolts
+ In the morning Ada drinks tea | Ada drinks tea in the evening
+ Public holidays are paid | Private holidays are paid
+ The high setting uses 40 watts | 20 watts is what the low setting uses
+ Rule 4 forbids smoking | Rule 5 forbids smoking
+ Volume 2 describes birds | Volume 3 describes birds
+ Never push to main on Fridays | Push to main on Mondays
+ Ada never drinks coffee after lunch | Ada drinks coffee before lunch
+ Do not restart the old server | Restart the new server
+ Ada does not eat meat at home | Ada eats meat in restaurants
+ The user does not want emails about sales | The user wants emails about outages
+ Bob never drives to work | Ada drives to work
+ The log of host 3 is full | The log of host 4 is full
+ Deploys to staging are allowed | Deploys to production are forbidden
+ Do not merge before the review | Merge after the review
+ The internal API is stable | The external API is stable
+ Internal users have access | External users have no access
+ Ada has no car | Ada has a bike
+ The bug is not in the parser | The bug is in the lexer
+ Ada works at Globex | Ada does not work on Fridays
+ Zug 3 fährt nach Bonn | Zug 4 fährt nach Bonn
+ Le bus 12 va au centre | Le bus 14 va au centre
+ El piso 3 tiene ascensor | El piso 4 tiene ascensor
= El piso de Ana tiene 3 ventanas | El piso de Ana tiene 4 ventanas
= The user's shell is bash | The user's shell is zsh
= The project deadline is 2025-05-01 | The project deadline moved to 2025-06-01
= Our stand-up is at 9:30 | Our stand-up is at 9:45
= The test coverage is 71% | The test coverage is 78%
= The on-call rotation lasts 7 days | The on-call rotation lasts 14 days
= The user is vegetarian | The user is not vegetarian
= The main office is in Lisbon | The main office is in Porto
= The nightly job runs at 2:00 | The nightly job runs at 3:30
= Reply in English | Reply in German from now on
= Ada has a dog named Rex | Ada has a dog named Bruno
= The user's timezone is UTC+1 | The user's timezone is UTC+2
= The lease was signed by Bob and costs 900 euros | The lease was signed by Bob and costs 950 euros
+ The user is planning a trip to Japan | The user is planning a trip to Peru
+ The user is reading Dune | The user is reading Emma
+ The user bought a Canon | The user bought a Nikon
+ The frontend is in TypeScript | The frontend is in the web folder
+ Ada is the author of two books | Bob is the author of two books
+ Ada's son is 4 | Ada's daughter is 6
+ The user has a meeting at 9:00 | The user has a meeting at 15:00
+ The user takes a pill at 8:00 | The user takes a pill at 20:00
+ The backup runs on Mondays | The backup runs on Thursdays
+ The API key of staging is in 1Password | The API key of production is in Vault
+ The parser handles dates | The parser handles times
+ The team uses Slack | The team uses Notion
+ The user wants 2 tickets for Friday | The user wants 3 tickets for Saturday
+ The user asked for 3 examples | The user asked for 5 examples
+ Attempt 3 failed after 10 minutes | Attempt 4 failed after 12 minutes
+ Run 7 has a loss of 0.31 | Run 8 has a loss of 0.29
+ The test took 5 minutes | The test took 6 minutes
= Maria has 3 children | Maria has 4 children
= The cluster has eight nodes | The cluster has 10 nodes
= The timeout is 30 seconds | The timeout is 45 seconds
= The session expires after 20 minutes | The session expires after 60 minutes
= The monthly rent is $1,450 | The monthly rent is $1,600
= Tom weighs 82 kg | Tom weighs 79 kg
= The dog needs two walks a day | The dog needs three walks a day
= The invoice limit is 500 EUR | The invoice limit is 750 EUR
= The model has 7 billion parameters | The model has 13 billion parameters
= The user needs answers within 200 words | The user needs answers within 100 words
= The frontend uses Node 18 | The frontend uses Node 20
= Redis runs on port 6379 | Redis runs on port 6380
= Disk quota: 50 GB | Disk quota: 80 GB
= The flight leaves at 7:45 | The flight leaves at 8:20
= The exam is on 12 June | The exam is on 19 June
= The contract ends on 2025-12-31 | The contract ends on 2026-06-30
= The dentist appointment is on Wednesday | The dentist appointment was rescheduled to Friday
= The weekly sync is at 14:00 | The weekly sync is at 15:30
= Payday is the 25th | Payday is the 28th
= The conference starts in September | The conference starts in October
= Lena's birthday is 4 March | Lena's birthday is 14 March
= Priya lives in Mumbai | Priya moved to Pune
= My parents live in Lyon | My parents live in Nice
= The company is based in Austin | The company relocated to Dallas
= Our data center is located in Dublin | Our data center moved to Frankfurt
= Kenji works at Nintendo | Kenji works for Sony
= Sofia studies at Oxford | Sofia studies at Cambridge
= Omar works as a nurse | Omar works as a paramedic
= The website is hosted on Heroku | The website migrated to Render
= The backend is written in PHP | The backend is written in Elixir
= The ticket is assigned to Mia | The ticket was reassigned to Leo
= The CEO of Hooli is Gavin | The CEO of Hooli is Denise
= Nadia is the product owner | Felix is the product owner
= My doctor is Dr. Weber | My doctor is Dr. Lang
= Sam's phone number is 555-0101 | Sam's phone number is 555-0199
= The user's email is jo@example.com | The user's email is jo.k@example.org
= The preferred language is English | The preferred language is Spanish
= The user's favorite band is Radiohead | The user's favorite band is Muse
= The on-call engineer is Ravi | The on-call engineer is Chloe
= The status of the order is pending | The status of the order is shipped
= Peter is married to Anna | Peter is divorced from Anna
= Julia eats gluten | Julia does not eat gluten
= Nils smokes | Nils doesn't smoke anymore
= The feature flag is on | The feature flag is off
= Guests are allowed in the lab | Guests are forbidden in the lab
= The endpoint requires authentication | The endpoint no longer requires authentication
= The service is available | The service is unavailable
= Eva trusts the vendor | Eva does not trust the vendor
= Elena loves running | Elena hates running
= The team reviews with Gerrit | The team reviews with GitHub instead of Gerrit
= We deploy with Ansible | We switched from Ansible to Terraform
= Hugo plays the piano | Actually, Hugo plays the violin
= The user goes by Liz | The user now goes by Beth
= Iris takes the bus to work | Iris now takes the train to work
= Commit messages must be in English | Commit messages must be in German
= The subscription costs 9 dollars | The subscription went up to 12 dollars
= Ivan works at Siemens | Ivan quit Siemens
= The office has 40 desks | The office grew to 55 desks
= L'équipe a maintenant 5 membres | L'équipe a maintenant 7 membres
= El plazo de entrega termina el 2025-04-01 | El plazo de entrega termina el 2025-05-01
! Clara drinks wine with dinner | With dinner Clara never drinks wine
! Access from outside is allowed | Access is forbidden from outside
! Our API is rate limited to 100 requests | Rate limited to 300 requests is our API
! In staging debug logging is on | Debug logging is off in staging
! Use semicolons in JavaScript | In JavaScript do not use semicolons
! Pavel prefers trains over planes | Pavel prefers planes over trains
! On weekends the office is open | The office is closed on weekends
! Attachments can be sent to customers | Never send attachments to customers
! Backups are kept for 30 days | We keep backups 90 days
! Always ask before deleting files | Delete files without asking
! Mara is vegetarian | Mara had a steak and loves burgers
! The parser is safe for untrusted input | For untrusted input the parser is unsafe
! The garden has a pond | There is no pond in the garden
! With guests Otto speaks English | Otto does not speak English with guests
! 16 threads is the size of the pool | The pool size is 8 threads
+ Task 7 of 12 | Task 8 of 12
+ Lesson 2 covers verbs | Lesson 3 covers verbs
+ Invoice 1041 is paid | Invoice 1042 is paid
+ Ticket #88 is assigned to Mia | Ticket #89 is assigned to Mia
+ The current row is row 5 | The current row is row 6
+ Gate 14 is closed | Gate 15 is closed
+ Sensor 1 is in the kitchen | Sensor 2 is in the kitchen
+ Apartment 3 has two bedrooms | Apartment 4 has three bedrooms
+ (a) Check the oil | (b) Check the oil
+ Week 3: deload | Week 4: deload
+ Bus 12 leaves at 8:00 | Bus 14 leaves at 8:00
+ Section 2.1 explains setup | Section 2.2 explains setup
+ Maria has 3 children | Lena has 4 children
+ Tom weighs 82 kg | Tim weighs 79 kg
+ The kitchen has 2 windows | The bathroom has 1 window
+ Priya has two brothers | Priya has one sister
+ The car has 4 doors | The car has 5 seats
+ Sofia speaks Portuguese | Sofia speaks Italian
+ Nils likes jazz | Nils likes opera
+ Kenji plays chess | Kenji plays go
+ Omar supports Arsenal | Omar supports the proposal
+ The tool supports CSV | The tool supports Parquet
+ The recipe needs flour | The recipe needs eggs
+ Eva swam 2 km | Eva swam 3 km
+ Hugo bought 3 tickets | Hugo bought 4 tickets
+ Iris called the bank on Monday | Iris called the bank on Thursday
+ Julia finished level 4 | Julia finished level 5
+ In March the site had 900 visitors | In April the site had 1200 visitors
+ The 2022 report has 40 pages | The 2023 report has 55 pages
+ Ivan scored 12 points against Oslo | Ivan scored 15 points against Bergen
+ Clara met Peter in Vienna | Clara met Peter in Prague
+ Priya lives in Mumbai | Priya lives in Mumbai with two roommates
+ Priya lives in Mumbai | Priya's sister lives in Pune
+ Kenji works at Sony | Kenji works at night
+ Kenji works at Sony | Kenji works on the camera team
+ Sofia is in Madrid | Sofia is in love
+ The company is based in Austin | The company also has an office in Dallas
+ The company is based in Austin | The company is based in Texas
+ The website is hosted on Heroku | The database is hosted on Render
+ The train is at 9:00 | The train is at platform 4
+ The lecture is in room 204 | The lecture is in English
+ Otto is friendly | Otto is punctual
+ Otto is a father | Otto is a carpenter
+ Mara's colleague is Leo | Mara's colleague is Nina
+ Leo is a member of the board | Nina is a member of the board
+ Leo owns a bike | Nina owns a bike
+ The house has a garden | The house has a garage
+ The pool opens at 7 on weekdays | The pool opens at 9 on weekends
+ The course starts in May | The course ends in July
+ The exam starts at 9:00 | The exam ends at 12:00
+ The service reads from Kafka | The service reads from S3
+ The service calls the billing API | The service calls the search API
+ Format the code before a commit | Run the tests before a commit
+ Do not log passwords | Do not log tokens
+ Never deploy on Fridays | Never deploy on Sundays
+ Nils does not eat fish | Nils does not eat pork
+ Elena did not go to the party | Elena went to the gym
+ We deploy with Ansible | We monitor with Grafana
+ Hugo has 10 years of Java | Hugo moved from Java to Kotlin
+ The user prefers short answers | The user prefers metric units
+ The user prefers tea | The user prefers window seats
+ The user wants to visit Japan | The user wants to visit Peru
+ The user is allergic to nuts | The user is allergic to shellfish
+ The user asked for a refund | The user asked for a receipt
+ Ruff is a linter | Ruff is a formatter
+ Water boils at 100 degrees | Alcohol boils at 78 degrees
+ The tests are slow on Windows | The tests are fast on Linux
+ Debug logging is on in staging | Debug logging is off in production
+ The small model has 7 billion parameters | The large model has 70 billion parameters
+ Clara drinks wine with dinner | Peter never drinks wine with dinner
+ Pavel prefers trains over planes | Pavel prefers trains over buses
+ Use semicolons in JavaScript | Do not use semicolons in Python
+ Kapitel 3 ist fertig | Kapitel 4 ist fertig
+ La pagina 12 è letta | La pagina 13 è letta
+ Étape 2 : ajouter le sel | Étape 3 : ajouter le sel
+ Add 2 eggs to the bowl | Add 3 eggs to the pan
+ The library has 3 floors | The library has 3 elevators
+ Gavin said the launch is in May | Denise said the launch is in June
+ Mia thinks the bug is in the parser | Leo thinks the bug is in the lexer
+ The first prize is 500 dollars | The second prize is 200 dollars
+ Player one has 3 lives | Player two has 5 lives
+ The left door is open | The right door is closed
+ The build is green | The build is fast
+ Anna is married to Peter | Anna is Peter's boss
+ Chloe is on call | Chloe is on holiday
+ Ravi reports to Nadia | Ravi reports bugs weekly
+ The key is under the mat | The key is made of brass
+ The limit for guests is 10 requests | The limit for members is 100 requests
"""
