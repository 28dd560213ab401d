extension Languages {
  static let italian = Wording<OneMillionsOther>(
    tag: "it", name: "Italiano", comma: ", ", colon: ": ", or: ". Oppure: ",

    nonEmpty: "Inserisci un valore",
    notBlank: "Inserisci almeno un carattere che non sia uno spazio",
    chooseOption: "Scegli una delle opzioni",
    length: .init(
      exactly: .init(
        one: "Inserisci esattamente {n} carattere", many: "Inserisci esattamente {n} di caratteri",
        other: "Inserisci esattamente {n} caratteri"),
      atLeast: .init(
        one: "Inserisci almeno {n} carattere", many: "Inserisci almeno {n} di caratteri",
        other: "Inserisci almeno {n} caratteri"),
      atMost: .init(
        one: "Inserisci al massimo {n} carattere", many: "Inserisci al massimo {n} di caratteri",
        other: "Inserisci al massimo {n} caratteri"),
      between: .init(
        one: "Inserisci da {min} a {n} carattere", many: "Inserisci da {min} a {n} di caratteri",
        other: "Inserisci da {min} a {n} caratteri")),
    pattern: "Modifica il testo nel formato richiesto",
    predicate: "Inserisci un altro valore; questo non è stato accettato",
    unchecked: "Non è stato possibile verificare; riprova tra un momento",
    email: "Inserisci un indirizzo e-mail, ad esempio {example}",
    url: "Inserisci un indirizzo web, ad esempio {example}",
    integer: "Inserisci un numero intero, ad esempio {example}",
    number: "Inserisci un numero, con il punto per i decimali, ad esempio {example}",
    date: "Inserisci una data, ad esempio {example}",
    time: "Inserisci un’ora, ad esempio {example}",
    dateTime: "Inserisci data e ora, ad esempio {example}",
    skippedTime: "In quel momento l’orologio passa da {from} a {to}: inserisci un’ora precedente o successiva",
    otherOffset: "Scrivi lo scarto come {offset}, in vigore a quell’ora, oppure omettilo",
    unknownZone: "Il tuo fuso orario non è noto qui: inserisci l’ora con il suo scarto da UTC, ad esempio {example}",
    numberRange: .init(
      between: "Inserisci un numero da {min} a {max}", atLeast: "Inserisci un numero non inferiore a {min}",
      atMost: "Inserisci un numero non superiore a {max}"),
    dateRange: .init(
      between: "Inserisci una data compresa tra {min} e {max}", atLeast: "Inserisci una data non anteriore a {min}",
      atMost: "Inserisci una data non successiva a {max}"),
    timeRange: .init(
      between: "Inserisci un’ora compresa tra {min} e {max}", atLeast: "Inserisci un’ora a partire dalle {min}",
      atMost: "Inserisci un’ora non oltre le {max}"),
    dateTimeRange: .init(
      between: "Inserisci data e ora comprese tra {min} e {max}", atLeast: "Inserisci data e ora non anteriori a {min}",
      atMost: "Inserisci data e ora non successive a {max}"),
    wholeNumber: "Inserisci un numero intero",
    multiple: "Inserisci un multiplo di {step}",
    multipleFrom: "Inserisci {from}, oppure quel numero più o meno un multiplo di {step}",
    onlyValue: "Inserisci «{value}»",
    oneOfValues: "Inserisci uno di questi valori: {values}",
    acceptedValue: "Inserisci uno dei valori ammessi",
    count: .init(
      exactly: .init(
        one: "Scegli esattamente {n} opzione", many: "Scegli esattamente {n} di opzioni",
        other: "Scegli esattamente {n} opzioni"),
      atLeast: .init(
        one: "Scegli almeno {n} opzione", many: "Scegli almeno {n} di opzioni", other: "Scegli almeno {n} opzioni"),
      atMost: .init(
        one: "Scegli al massimo {n} opzione", many: "Scegli al massimo {n} di opzioni",
        other: "Scegli al massimo {n} opzioni"),
      between: .init(
        one: "Scegli da {min} a {n} opzione", many: "Scegli da {min} a {n} di opzioni",
        other: "Scegli da {min} a {n} opzioni")),
    sameAs: "Inserisci lo stesso testo di «{field}»",
    numberOrder: .init(
      less: "Inserisci un numero minore di quello in «{field}»",
      lessOrEqual: "Inserisci un numero non superiore a quello in «{field}»",
      greater: "Inserisci un numero maggiore di quello in «{field}»",
      greaterOrEqual: "Inserisci un numero non inferiore a quello in «{field}»"),
    dateOrder: .init(
      less: "Inserisci una data anteriore a quella in «{field}»",
      lessOrEqual: "Inserisci una data non successiva a quella in «{field}»",
      greater: "Inserisci una data successiva a quella in «{field}»",
      greaterOrEqual: "Inserisci una data non anteriore a quella in «{field}»"),
    timeOrder: .init(
      less: "Inserisci un’ora precedente a quella in «{field}»",
      lessOrEqual: "Inserisci un’ora non successiva a quella in «{field}»",
      greater: "Inserisci un’ora successiva a quella in «{field}»",
      greaterOrEqual: "Inserisci un’ora non precedente a quella in «{field}»"),
    dateTimeOrder: .init(
      less: "Inserisci data e ora anteriori a quelle in «{field}»",
      lessOrEqual: "Inserisci data e ora non successive a quelle in «{field}»",
      greater: "Inserisci data e ora successive a quelle in «{field}»",
      greaterOrEqual: "Inserisci data e ora non anteriori a quelle in «{field}»"),
    not: "Inserisci un altro valore; questo non è consentito",
    text: "Rimuovi i caratteri di controllo da questo testo",
    line: "Scrivi tutto su una sola riga",
    boolean: "Rispondi true o false",
    tooLong: .init(
      one: "Accorcia questo testo di {n} carattere", many: "Accorcia questo testo di {n} di caratteri",
      other: "Accorcia questo testo di {n} caratteri"),
    tooLongTogether: .init(
      one: "Accorcia le tue risposte di {n} carattere in tutto",
      many: "Accorcia le tue risposte di {n} di caratteri in tutto",
      other: "Accorcia le tue risposte di {n} caratteri in tutto"),

    quote: "«{value}»",
    lastOr: " o ",
    onlyIf: "Solo se «{field}» è {values}",
    onlyIfChosen: "Solo se in «{field}» è scelto {values}",
    onlyIfOn: "Solo se «{field}» è attivo",
    onlyIfOff: "Solo se «{field}» non è attivo",
    came: "Ora è richiesto anche: {fields}",
    went: "Non è più richiesto: {fields}",

    problems: .init(one: "{n} problema.", many: "{n} di problemi.", other: "{n} problemi."),
    page: PageWords(
      ok: "OK", cancel: "Annulla", optional: "facoltativo", choose: "Scegli…", none: "Nessuna risposta",
      show: "Mostra", hide: "Nascondi", showField: "Mostra: {field}", hideField: "Nascondi: {field}",
      timeZone: "Fuso orario: {zone}",
      checking: "Verifica in corso…",
      refused: "Inserisci un altro valore",
      unreachable: "Il server non è raggiungibile; riprova",
      failed: "La tua risposta non è stata accettata; riprova tra un momento",
      error: "Errore:", problem: "C’è un problema", languages: "Lingua",
      close: "Puoi chiudere questa pagina.", again: "Apri di nuovo",
      accepted: .init(heading: "Grazie", sentence: "La risposta è stata accettata."),
      cancelled: .init(heading: "Annullato", sentence: "Non è stata inviata alcuna risposta."),
      done: .init(heading: "Fatto", sentence: "La tua scelta è stata ricevuta."),
      expired: .init(heading: "Troppo tardi", sentence: "Il tempo per rispondere è scaduto."),
      withdrawn: .init(heading: "Non più necessario", sentence: "La domanda è stata ritirata."),
      answered: .init(heading: "Risposta già data", sentence: "Questa domanda ha già una risposta."),
      notFound: .init(
        heading: "Non trovato",
        sentence: "A questo indirizzo non c’è nessuna domanda. Controlla il link o chiedine uno nuovo."),
      notPossible: .init(heading: "Qui non è possibile", sentence: "Apri di nuovo il link."),
      tooLarge: .init(
        heading: "Troppo lungo",
        sentence:
          "È stato inviato più di quanto si possa leggere. Torna indietro, accorcia il testo e invialo di nuovo."),
      serverFault: .init(
        heading: "Qualcosa è andato storto",
        sentence: "Riprova tra un momento. Se il problema persiste, avvisa chi ti ha inviato il link."),
      prompts: "Domande", noPrompts: "Non ci sono ancora domande."))
}
