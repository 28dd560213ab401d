extension Languages {
  static let dutch = Wording<OneOther>(
    tag: "nl", name: "Nederlands", comma: ", ", colon: ": ", or: ". Of: ",

    nonEmpty: "Vul een waarde in",
    notBlank: "Vul minstens één teken in dat geen spatie is",
    chooseOption: "Kies een van de opties",
    length: .init(
      exactly: .init(one: "Vul precies {n} teken in", other: "Vul precies {n} tekens in"),
      atLeast: .init(one: "Vul minstens {n} teken in", other: "Vul minstens {n} tekens in"),
      atMost: .init(one: "Vul hoogstens {n} teken in", other: "Vul hoogstens {n} tekens in"),
      between: .init(one: "Vul {min} tot {n} teken in", other: "Vul {min} tot en met {n} tekens in")),
    pattern: "Pas de invoer aan de gevraagde notatie aan",
    predicate: "Vul een andere waarde in; deze is niet aanvaard",
    unchecked: "Dit kon niet worden gecontroleerd; probeer het zo meteen opnieuw",
    email: "Vul een e-mailadres in, zoals {example}",
    url: "Vul een webadres in, zoals {example}",
    integer: "Vul een geheel getal in, zoals {example}",
    number: "Vul een getal in, met een punt in plaats van een komma, zoals {example}",
    date: "Vul een datum in, zoals {example}",
    time: "Vul een tijd in, zoals {example}",
    dateTime: "Vul een datum en tijd in, zoals {example}",
    skippedTime: "De klok springt dan van {from} naar {to}: vul een eerdere of latere tijd in",
    otherOffset: "Schrijf het verschil als {offset}, dat op dat moment geldt, of laat het weg",
    unknownZone: "Uw tijdzone is hier niet bekend: vul de tijd in met het verschil met UTC, zoals {example}",
    numberRange: .init(
      between: "Vul een getal van {min} tot en met {max} in", atLeast: "Vul een getal van minstens {min} in",
      atMost: "Vul een getal van hoogstens {max} in"),
    dateRange: .init(
      between: "Vul een datum van {min} tot en met {max} in", atLeast: "Vul een datum vanaf {min} in",
      atMost: "Vul een datum tot en met {max} in"),
    timeRange: .init(
      between: "Vul een tijd van {min} tot en met {max} in", atLeast: "Vul een tijd vanaf {min} in",
      atMost: "Vul een tijd tot en met {max} in"),
    dateTimeRange: .init(
      between: "Vul een datum en tijd van {min} tot en met {max} in", atLeast: "Vul een datum en tijd vanaf {min} in",
      atMost: "Vul een datum en tijd tot en met {max} in"),
    wholeNumber: "Vul een geheel getal in",
    multiple: "Vul een veelvoud van {step} in",
    multipleFrom: "Vul {from} in, of een getal dat daar een veelvoud van {step} van afwijkt",
    onlyValue: "Vul ‘{value}’ in",
    oneOfValues: "Vul een van deze waarden in: {values}",
    acceptedValue: "Vul een van de toegestane waarden in",
    count: .init(
      exactly: .init(one: "Kies precies {n} optie", other: "Kies precies {n} opties"),
      atLeast: .init(one: "Kies minstens {n} optie", other: "Kies minstens {n} opties"),
      atMost: .init(one: "Kies hoogstens {n} optie", other: "Kies hoogstens {n} opties"),
      between: .init(one: "Kies {min} tot {n} optie", other: "Kies {min} tot en met {n} opties")),
    sameAs: "Vul hetzelfde in als bij ‘{field}’",
    numberOrder: .init(
      less: "Vul een kleiner getal in dan bij ‘{field}’",
      lessOrEqual: "Vul geen groter getal in dan bij ‘{field}’",
      greater: "Vul een groter getal in dan bij ‘{field}’",
      greaterOrEqual: "Vul geen kleiner getal in dan bij ‘{field}’"),
    dateOrder: .init(
      less: "Vul een eerdere datum in dan bij ‘{field}’",
      lessOrEqual: "Vul geen latere datum in dan bij ‘{field}’",
      greater: "Vul een latere datum in dan bij ‘{field}’",
      greaterOrEqual: "Vul geen eerdere datum in dan bij ‘{field}’"),
    timeOrder: .init(
      less: "Vul een eerdere tijd in dan bij ‘{field}’",
      lessOrEqual: "Vul geen latere tijd in dan bij ‘{field}’",
      greater: "Vul een latere tijd in dan bij ‘{field}’",
      greaterOrEqual: "Vul geen eerdere tijd in dan bij ‘{field}’"),
    dateTimeOrder: .init(
      less: "Vul een eerder moment in dan bij ‘{field}’",
      lessOrEqual: "Vul geen later moment in dan bij ‘{field}’",
      greater: "Vul een later moment in dan bij ‘{field}’",
      greaterOrEqual: "Vul geen eerder moment in dan bij ‘{field}’"),
    not: "Vul een andere waarde in; deze is niet toegestaan",
    text: "Verwijder de stuurtekens uit deze tekst",
    line: "Schrijf alles op één regel",
    boolean: "Antwoord met true of false",
    tooLong: .init(one: "Maak deze tekst {n} teken korter", other: "Maak deze tekst {n} tekens korter"),
    tooLongTogether: .init(
      one: "Maak uw antwoorden samen {n} teken korter", other: "Maak uw antwoorden samen {n} tekens korter"),

    quote: "‘{value}’",
    lastOr: " of ",
    onlyIf: "Alleen als ‘{field}’ {values} is",
    onlyIfChosen: "Alleen als {values} is gekozen bij ‘{field}’",
    onlyIfOn: "Alleen als ‘{field}’ aan staat",
    onlyIfOff: "Alleen als ‘{field}’ uit staat",
    came: "Nu ook gevraagd: {fields}",
    went: "Niet meer gevraagd: {fields}",

    problems: .init(one: "{n} probleem.", other: "{n} problemen."),
    page: PageWords(
      ok: "OK", cancel: "Annuleren", optional: "optioneel", choose: "Maak een keuze…", none: "Geen antwoord",
      show: "Tonen", hide: "Verbergen", showField: "{field}: Tonen", hideField: "{field}: Verbergen",
      timeZone: "Tijdzone: {zone}",
      checking: "Wordt gecontroleerd…",
      refused: "Vul een andere waarde in",
      unreachable: "De server is niet bereikbaar; probeer het opnieuw",
      failed: "Uw antwoord is niet aanvaard; probeer het zo meteen opnieuw",
      error: "Fout:", problem: "Er is een probleem", languages: "Taal",
      close: "U kunt deze pagina sluiten.", again: "Opnieuw openen",
      accepted: .init(heading: "Dank u wel", sentence: "Het antwoord is aanvaard."),
      cancelled: .init(heading: "Geannuleerd", sentence: "Er is niets geantwoord."),
      done: .init(heading: "Klaar", sentence: "De keuze is ontvangen."),
      expired: .init(heading: "Te laat", sentence: "De tijd om te antwoorden is voorbij."),
      withdrawn: .init(heading: "Niet meer nodig", sentence: "De vraag is ingetrokken."),
      answered: .init(heading: "Al beantwoord", sentence: "Deze vraag heeft al een antwoord."),
      notFound: .init(
        heading: "Niet gevonden",
        sentence: "Op dit adres staat geen vraag. Controleer de link, of vraag om een nieuwe."),
      notPossible: .init(heading: "Dat kan hier niet", sentence: "Open de link nog een keer."),
      tooLarge: .init(
        heading: "Te lang",
        sentence: "Er is meer verstuurd dan gelezen kan worden. Ga terug, maak het korter en verstuur het opnieuw."),
      serverFault: .init(
        heading: "Er is hier iets misgegaan",
        sentence:
          "Probeer het zo meteen opnieuw. Blijft dit zo, laat het dan weten aan degene die u de link heeft gestuurd."),
      prompts: "Vragen", noPrompts: "Er zijn nog geen vragen."))
}
