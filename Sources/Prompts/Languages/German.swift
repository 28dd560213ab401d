extension Languages {
  static let german = Wording<OneOther>(
    tag: "de", name: "Deutsch", comma: ", ", colon: ": ", or: ". Oder: ",

    nonEmpty: "Geben Sie einen Wert ein",
    notBlank: "Geben Sie mindestens ein Zeichen ein, das kein Leerzeichen ist",
    chooseOption: "Wählen Sie eine der Möglichkeiten aus",
    length: .init(
      exactly: .init(one: "Geben Sie genau {n} Zeichen ein", other: "Geben Sie genau {n} Zeichen ein"),
      atLeast: .init(one: "Geben Sie mindestens {n} Zeichen ein", other: "Geben Sie mindestens {n} Zeichen ein"),
      atMost: .init(one: "Geben Sie höchstens {n} Zeichen ein", other: "Geben Sie höchstens {n} Zeichen ein"),
      between: .init(one: "Geben Sie {min} bis {n} Zeichen ein", other: "Geben Sie {min} bis {n} Zeichen ein")),
    pattern: "Bringen Sie die Eingabe in das verlangte Format",
    predicate: "Geben Sie einen anderen Wert ein; dieser wurde nicht angenommen",
    unchecked: "Das konnte nicht geprüft werden; versuchen Sie es gleich noch einmal",
    email: "Geben Sie eine E-Mail-Adresse ein, zum Beispiel {example}",
    url: "Geben Sie eine Webadresse ein, zum Beispiel {example}",
    integer: "Geben Sie eine ganze Zahl ein, zum Beispiel {example}",
    number: "Geben Sie eine Zahl mit Punkt statt Komma ein, zum Beispiel {example}",
    date: "Geben Sie ein Datum ein, zum Beispiel {example}",
    time: "Geben Sie eine Uhrzeit ein, zum Beispiel {example}",
    dateTime: "Geben Sie Datum und Uhrzeit ein, zum Beispiel {example}",
    skippedTime: "Die Uhr springt dann von {from} auf {to}: Geben Sie eine frühere oder spätere Uhrzeit ein",
    otherOffset:
      "Schreiben Sie die Abweichung von UTC als {offset}, wie sie zu dieser Zeit gilt, oder lassen Sie sie weg",
    unknownZone:
      "Ihre Zeitzone ist hier nicht bekannt: Geben Sie die Zeit mit ihrer Abweichung von UTC ein, zum Beispiel {example}",
    numberRange: .init(
      between: "Geben Sie eine Zahl von {min} bis {max} ein", atLeast: "Geben Sie eine Zahl ab {min} ein",
      atMost: "Geben Sie eine Zahl bis höchstens {max} ein"),
    dateRange: .init(
      between: "Geben Sie ein Datum vom {min} bis zum {max} ein", atLeast: "Geben Sie ein Datum ab dem {min} ein",
      atMost: "Geben Sie ein Datum bis zum {max} ein"),
    timeRange: .init(
      between: "Geben Sie eine Uhrzeit von {min} bis {max} ein", atLeast: "Geben Sie eine Uhrzeit ab {min} ein",
      atMost: "Geben Sie eine Uhrzeit bis {max} ein"),
    dateTimeRange: .init(
      between: "Geben Sie Datum und Uhrzeit von {min} bis {max} ein",
      atLeast: "Geben Sie Datum und Uhrzeit ab {min} ein", atMost: "Geben Sie Datum und Uhrzeit bis {max} ein"),
    wholeNumber: "Geben Sie eine ganze Zahl ein",
    multiple: "Geben Sie ein Vielfaches von {step} ein",
    multipleFrom: "Geben Sie {from} ein oder eine Zahl, die um ein Vielfaches von {step} davon abweicht",
    onlyValue: "Geben Sie „{value}“ ein",
    oneOfValues: "Geben Sie einen dieser Werte ein: {values}",
    acceptedValue: "Geben Sie einen der zulässigen Werte ein",
    count: .init(
      exactly: .init(
        one: "Wählen Sie genau {n} Möglichkeit aus", other: "Wählen Sie genau {n} Möglichkeiten aus"),
      atLeast: .init(
        one: "Wählen Sie mindestens {n} Möglichkeit aus", other: "Wählen Sie mindestens {n} Möglichkeiten aus"),
      atMost: .init(
        one: "Wählen Sie höchstens {n} Möglichkeit aus", other: "Wählen Sie höchstens {n} Möglichkeiten aus"),
      between: .init(
        one: "Wählen Sie {min} bis {n} Möglichkeit aus", other: "Wählen Sie {min} bis {n} Möglichkeiten aus")),
    sameAs: "Geben Sie dasselbe ein wie bei „{field}“",
    numberOrder: .init(
      less: "Geben Sie eine kleinere Zahl ein als bei „{field}“",
      lessOrEqual: "Geben Sie höchstens die Zahl von „{field}“ ein",
      greater: "Geben Sie eine größere Zahl ein als bei „{field}“",
      greaterOrEqual: "Geben Sie mindestens die Zahl von „{field}“ ein"),
    dateOrder: .init(
      less: "Geben Sie ein früheres Datum ein als bei „{field}“",
      lessOrEqual: "Geben Sie kein späteres Datum ein als bei „{field}“",
      greater: "Geben Sie ein späteres Datum ein als bei „{field}“",
      greaterOrEqual: "Geben Sie kein früheres Datum ein als bei „{field}“"),
    timeOrder: .init(
      less: "Geben Sie eine frühere Uhrzeit ein als bei „{field}“",
      lessOrEqual: "Geben Sie keine spätere Uhrzeit ein als bei „{field}“",
      greater: "Geben Sie eine spätere Uhrzeit ein als bei „{field}“",
      greaterOrEqual: "Geben Sie keine frühere Uhrzeit ein als bei „{field}“"),
    dateTimeOrder: .init(
      less: "Geben Sie einen früheren Zeitpunkt ein als bei „{field}“",
      lessOrEqual: "Geben Sie keinen späteren Zeitpunkt ein als bei „{field}“",
      greater: "Geben Sie einen späteren Zeitpunkt ein als bei „{field}“",
      greaterOrEqual: "Geben Sie keinen früheren Zeitpunkt ein als bei „{field}“"),
    not: "Geben Sie einen anderen Wert ein; dieser ist nicht zulässig",
    text: "Entfernen Sie die Steuerzeichen aus diesem Text",
    line: "Schreiben Sie alles in eine Zeile",
    boolean: "Antworten Sie mit true oder false",
    tooLong: .init(one: "Kürzen Sie den Text um {n} Zeichen", other: "Kürzen Sie den Text um {n} Zeichen"),
    tooLongTogether: .init(
      one: "Kürzen Sie Ihre Antworten um insgesamt {n} Zeichen",
      other: "Kürzen Sie Ihre Antworten um insgesamt {n} Zeichen"),

    quote: "„{value}“",
    lastOr: " oder ",
    onlyIf: "Nur wenn „{field}“ den Wert {values} hat",
    onlyIfChosen: "Nur wenn bei „{field}“ {values} ausgewählt ist",
    onlyIfOn: "Nur wenn „{field}“ eingeschaltet ist",
    onlyIfOff: "Nur wenn „{field}“ ausgeschaltet ist",
    came: "Jetzt auch gefragt: {fields}",
    went: "Nicht mehr gefragt: {fields}",

    problems: .init(one: "{n} Problem.", other: "{n} Probleme."),
    page: PageWords(
      ok: "OK", cancel: "Abbrechen", optional: "optional", choose: "Bitte wählen…", none: "Keine Angabe",
      show: "Anzeigen", hide: "Verbergen", showField: "{field}: Anzeigen", hideField: "{field}: Verbergen",
      timeZone: "Zeitzone: {zone}",
      checking: "Wird geprüft…",
      refused: "Geben Sie einen anderen Wert ein",
      unreachable: "Der Server ist nicht erreichbar; versuchen Sie es noch einmal",
      failed: "Ihre Antwort wurde nicht angenommen; versuchen Sie es gleich noch einmal",
      error: "Fehler:", problem: "Es gibt ein Problem", languages: "Sprache",
      close: "Sie können diese Seite schließen.", again: "Noch einmal öffnen",
      accepted: .init(heading: "Vielen Dank", sentence: "Die Antwort wurde angenommen."),
      cancelled: .init(heading: "Abgebrochen", sentence: "Es wurde nichts beantwortet."),
      done: .init(heading: "Erledigt", sentence: "Die Auswahl ist angekommen."),
      expired: .init(heading: "Zu spät", sentence: "Die Zeit für die Antwort ist abgelaufen."),
      withdrawn: .init(heading: "Nicht mehr nötig", sentence: "Die Frage wurde zurückgezogen."),
      answered: .init(heading: "Bereits beantwortet", sentence: "Diese Frage hat schon eine Antwort."),
      notFound: .init(
        heading: "Nicht gefunden",
        sentence: "Unter dieser Adresse gibt es keine Frage. Prüfen Sie den Link, oder bitten Sie um einen neuen."),
      notPossible: .init(heading: "Hier nicht möglich", sentence: "Öffnen Sie den Link noch einmal."),
      tooLarge: .init(
        heading: "Zu groß",
        sentence: "Die Eingabe ist zu lang. Gehen Sie zurück, kürzen Sie sie, und senden Sie sie noch einmal."),
      serverFault: .init(
        heading: "Hier ist etwas schiefgegangen",
        sentence:
          "Versuchen Sie es gleich noch einmal. Wenn es dabei bleibt, wenden Sie sich an die Person, von der Sie den Link haben."
      ),
      prompts: "Fragen", noPrompts: "Es gibt noch keine Fragen."))
}
