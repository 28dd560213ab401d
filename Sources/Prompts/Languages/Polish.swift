extension Languages {
  static let polish = Wording<OneFewMany>(
    tag: "pl", name: "Polski", comma: ", ", colon: ": ", or: ". Albo: ",

    nonEmpty: "Wpisz wartość",
    notBlank: "Wpisz co najmniej jeden znak, który nie jest spacją",
    chooseOption: "Wybierz jedną z opcji",
    length: .init(
      exactly: .init(
        one: "Wpisz dokładnie {n} znak", few: "Wpisz dokładnie {n} znaki", many: "Wpisz dokładnie {n} znaków"),
      atLeast: .init(
        one: "Wpisz co najmniej {n} znak", few: "Wpisz co najmniej {n} znaki", many: "Wpisz co najmniej {n} znaków"),
      atMost: .init(
        one: "Wpisz najwyżej {n} znak", few: "Wpisz najwyżej {n} znaki", many: "Wpisz najwyżej {n} znaków"),
      between: .init(
        one: "Wpisz od {min} do {n} znaku", few: "Wpisz od {min} do {n} znaków", many: "Wpisz od {min} do {n} znaków")),
    pattern: "Zmień tekst na wymagany format",
    predicate: "Wpisz inną wartość; ta nie została przyjęta",
    unchecked: "Nie udało się tego sprawdzić; spróbuj ponownie za chwilę",
    email: "Wpisz adres e-mail, na przykład {example}",
    url: "Wpisz adres internetowy, na przykład {example}",
    integer: "Wpisz liczbę całkowitą, na przykład {example}",
    number: "Wpisz liczbę, z kropką zamiast przecinka, na przykład {example}",
    date: "Wpisz datę, na przykład {example}",
    time: "Wpisz godzinę, na przykład {example}",
    dateTime: "Wpisz datę i godzinę, na przykład {example}",
    skippedTime: "Zegar przechodzi wtedy od razu z {from} na {to}: wpisz wcześniejszą lub późniejszą godzinę",
    otherOffset: "Zapisz przesunięcie jako {offset}, które wtedy obowiązuje, lub pomiń je",
    unknownZone:
      "Twoja strefa czasowa nie jest tu znana: wpisz czas z przesunięciem względem UTC, na przykład {example}",
    numberRange: .init(
      between: "Wpisz liczbę od {min} do {max}", atLeast: "Wpisz liczbę nie mniejszą niż {min}",
      atMost: "Wpisz liczbę nie większą niż {max}"),
    dateRange: .init(
      between: "Wpisz datę od {min} do {max}", atLeast: "Wpisz datę nie wcześniejszą niż {min}",
      atMost: "Wpisz datę nie późniejszą niż {max}"),
    timeRange: .init(
      between: "Wpisz godzinę od {min} do {max}", atLeast: "Wpisz godzinę nie wcześniejszą niż {min}",
      atMost: "Wpisz godzinę nie późniejszą niż {max}"),
    dateTimeRange: .init(
      between: "Wpisz datę i godzinę od {min} do {max}", atLeast: "Wpisz datę i godzinę nie wcześniejsze niż {min}",
      atMost: "Wpisz datę i godzinę nie późniejsze niż {max}"),
    wholeNumber: "Wpisz liczbę całkowitą",
    multiple: "Wpisz wielokrotność liczby {step}",
    multipleFrom: "Wpisz {from} albo liczbę, która różni się od niej o wielokrotność {step}",
    onlyValue: "Wpisz „{value}”",
    oneOfValues: "Wpisz jedną z wartości: {values}",
    acceptedValue: "Wpisz jedną z dozwolonych wartości",
    count: .init(
      exactly: .init(
        one: "Wybierz dokładnie {n} opcję", few: "Wybierz dokładnie {n} opcje", many: "Wybierz dokładnie {n} opcji"),
      atLeast: .init(
        one: "Wybierz co najmniej {n} opcję", few: "Wybierz co najmniej {n} opcje",
        many: "Wybierz co najmniej {n} opcji"),
      atMost: .init(
        one: "Wybierz najwyżej {n} opcję", few: "Wybierz najwyżej {n} opcje", many: "Wybierz najwyżej {n} opcji"),
      between: .init(
        one: "Wybierz od {min} do {n} opcji", few: "Wybierz od {min} do {n} opcji",
        many: "Wybierz od {min} do {n} opcji")),
    sameAs: "Wpisz to samo co w polu „{field}”",
    numberOrder: .init(
      less: "Wpisz liczbę mniejszą niż w polu „{field}”",
      lessOrEqual: "Wpisz liczbę nie większą niż w polu „{field}”",
      greater: "Wpisz liczbę większą niż w polu „{field}”",
      greaterOrEqual: "Wpisz liczbę nie mniejszą niż w polu „{field}”"),
    dateOrder: .init(
      less: "Wpisz datę wcześniejszą niż w polu „{field}”",
      lessOrEqual: "Wpisz datę nie późniejszą niż w polu „{field}”",
      greater: "Wpisz datę późniejszą niż w polu „{field}”",
      greaterOrEqual: "Wpisz datę nie wcześniejszą niż w polu „{field}”"),
    timeOrder: .init(
      less: "Wpisz godzinę wcześniejszą niż w polu „{field}”",
      lessOrEqual: "Wpisz godzinę nie późniejszą niż w polu „{field}”",
      greater: "Wpisz godzinę późniejszą niż w polu „{field}”",
      greaterOrEqual: "Wpisz godzinę nie wcześniejszą niż w polu „{field}”"),
    dateTimeOrder: .init(
      less: "Wpisz datę i godzinę wcześniejsze niż w polu „{field}”",
      lessOrEqual: "Wpisz datę i godzinę nie późniejsze niż w polu „{field}”",
      greater: "Wpisz datę i godzinę późniejsze niż w polu „{field}”",
      greaterOrEqual: "Wpisz datę i godzinę nie wcześniejsze niż w polu „{field}”"),
    not: "Wpisz inną wartość; ta jest niedozwolona",
    text: "Usuń z tego tekstu znaki sterujące",
    line: "Zapisz to w jednym wierszu",
    boolean: "Odpowiedz true albo false",
    tooLong: .init(
      one: "Skróć ten tekst o {n} znak", few: "Skróć ten tekst o {n} znaki", many: "Skróć ten tekst o {n} znaków"),
    tooLongTogether: .init(
      one: "Skróć odpowiedzi łącznie o {n} znak", few: "Skróć odpowiedzi łącznie o {n} znaki",
      many: "Skróć odpowiedzi łącznie o {n} znaków"),

    quote: "„{value}”",
    lastOr: " lub ",
    onlyIf: "Tylko jeśli w polu „{field}” jest {values}",
    onlyIfChosen: "Tylko jeśli w polu „{field}” wybrano {values}",
    onlyIfOn: "Tylko jeśli „{field}” jest włączone",
    onlyIfOff: "Tylko jeśli „{field}” jest wyłączone",
    came: "Teraz także: {fields}",
    went: "Już niepotrzebne: {fields}",

    problems: .init(one: "{n} problem.", few: "{n} problemy.", many: "{n} problemów."),
    page: PageWords(
      ok: "OK", cancel: "Anuluj", optional: "opcjonalne", choose: "Wybierz…", none: "Brak odpowiedzi",
      show: "Pokaż", hide: "Ukryj", showField: "Pokaż: {field}", hideField: "Ukryj: {field}",
      timeZone: "Strefa czasowa: {zone}",
      checking: "Sprawdzanie…",
      refused: "Wpisz inną wartość",
      unreachable: "Nie można połączyć się z serwerem; spróbuj ponownie",
      failed: "Odpowiedź nie została przyjęta; spróbuj ponownie za chwilę",
      error: "Błąd:", problem: "Wystąpił problem", languages: "Język",
      close: "Możesz zamknąć tę stronę.", again: "Otwórz ponownie",
      accepted: .init(heading: "Dziękujemy", sentence: "Odpowiedź została przyjęta."),
      cancelled: .init(heading: "Anulowano", sentence: "Nie wysłano żadnej odpowiedzi."),
      done: .init(heading: "Gotowe", sentence: "Wybór został odebrany."),
      expired: .init(heading: "Za późno", sentence: "Czas na odpowiedź minął."),
      withdrawn: .init(heading: "Już niepotrzebne", sentence: "Pytanie zostało wycofane."),
      answered: .init(heading: "Odpowiedź już jest", sentence: "Na to pytanie już odpowiedziano."),
      notFound: .init(
        heading: "Nie znaleziono",
        sentence: "Pod tym adresem nie ma pytania. Sprawdź link albo poproś o nowy."),
      notPossible: .init(heading: "Tutaj to niemożliwe", sentence: "Otwórz link jeszcze raz."),
      tooLarge: .init(
        heading: "Za długie",
        sentence: "Wysłano więcej, niż można odczytać. Wróć, skróć tekst i wyślij go ponownie."),
      serverFault: .init(
        heading: "Coś poszło nie tak",
        sentence: "Spróbuj ponownie za chwilę. Jeśli to nie pomoże, powiadom osobę, od której masz ten link."),
      prompts: "Pytania", noPrompts: "Nie ma jeszcze żadnych pytań."))
}
