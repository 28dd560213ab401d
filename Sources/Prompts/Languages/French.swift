extension Languages {
  static let french = Wording<NoneOrOneMillionsOther>(
    tag: "fr", name: "Français", comma: ", ", colon: "\u{A0}: ", or: ". Ou bien\u{A0}: ",

    nonEmpty: "Saisissez une valeur",
    notBlank: "Saisissez au moins un caractère autre qu’une espace",
    chooseOption: "Choisissez l’une des options",
    length: .init(
      exactly: .init(
        one: "Saisissez exactement {n} caractère", many: "Saisissez exactement {n} de caractères",
        other: "Saisissez exactement {n} caractères"),
      atLeast: .init(
        one: "Saisissez au moins {n} caractère", many: "Saisissez au moins {n} de caractères",
        other: "Saisissez au moins {n} caractères"),
      atMost: .init(
        one: "Saisissez au plus {n} caractère", many: "Saisissez au plus {n} de caractères",
        other: "Saisissez au plus {n} caractères"),
      between: .init(
        one: "Saisissez de {min} à {n} caractère", many: "Saisissez de {min} à {n} de caractères",
        other: "Saisissez de {min} à {n} caractères")),
    pattern: "Modifiez la saisie pour qu’elle ait le format demandé",
    predicate: "Saisissez une autre valeur\u{A0}; celle-ci n’a pas été acceptée",
    unchecked: "La vérification n’a pas pu être faite\u{A0}; réessayez dans un instant",
    email: "Saisissez une adresse e-mail, par exemple {example}",
    url: "Saisissez une adresse web, par exemple {example}",
    integer: "Saisissez un nombre entier, par exemple {example}",
    number: "Saisissez un nombre, avec un point pour les décimales, par exemple {example}",
    date: "Saisissez une date, par exemple {example}",
    time: "Saisissez une heure, par exemple {example}",
    dateTime: "Saisissez une date et une heure, par exemple {example}",
    skippedTime: "L’heure passe alors directement de {from} à {to} : saisissez une heure antérieure ou postérieure",
    otherOffset: "Indiquez le décalage {offset}, en vigueur à cette heure, ou omettez-le",
    unknownZone:
      "Votre fuseau horaire n’est pas connu ici : saisissez l’heure avec son décalage par rapport à UTC, par exemple {example}",
    numberRange: .init(
      between: "Saisissez un nombre de {min} à {max}", atLeast: "Saisissez un nombre d’au moins {min}",
      atMost: "Saisissez un nombre d’au plus {max}"),
    dateRange: .init(
      between: "Saisissez une date du {min} au {max}", atLeast: "Saisissez une date à partir du {min}",
      atMost: "Saisissez une date jusqu’au {max}"),
    timeRange: .init(
      between: "Saisissez une heure de {min} à {max}", atLeast: "Saisissez une heure à partir de {min}",
      atMost: "Saisissez une heure jusqu’à {max}"),
    dateTimeRange: .init(
      between: "Saisissez une date et une heure de {min} à {max}",
      atLeast: "Saisissez une date et une heure à partir de {min}",
      atMost: "Saisissez une date et une heure jusqu’à {max}"),
    wholeNumber: "Saisissez un nombre entier",
    multiple: "Saisissez un multiple de {step}",
    multipleFrom: "Saisissez {from}, ou ce nombre plus ou moins un multiple de {step}",
    onlyValue: "Saisissez «\u{A0}{value}\u{A0}»",
    oneOfValues: "Saisissez l’une de ces valeurs\u{A0}: {values}",
    acceptedValue: "Saisissez l’une des valeurs acceptées",
    count: .init(
      exactly: .init(
        one: "Choisissez exactement {n} option", many: "Choisissez exactement {n} d’options",
        other: "Choisissez exactement {n} options"),
      atLeast: .init(
        one: "Choisissez au moins {n} option", many: "Choisissez au moins {n} d’options",
        other: "Choisissez au moins {n} options"),
      atMost: .init(
        one: "Choisissez au plus {n} option", many: "Choisissez au plus {n} d’options",
        other: "Choisissez au plus {n} options"),
      between: .init(
        one: "Choisissez de {min} à {n} option", many: "Choisissez de {min} à {n} d’options",
        other: "Choisissez de {min} à {n} options")),
    sameAs: "Saisissez la même chose que dans «\u{A0}{field}\u{A0}»",
    numberOrder: .init(
      less: "Saisissez un nombre inférieur à celui de «\u{A0}{field}\u{A0}»",
      lessOrEqual: "Saisissez un nombre inférieur ou égal à celui de «\u{A0}{field}\u{A0}»",
      greater: "Saisissez un nombre supérieur à celui de «\u{A0}{field}\u{A0}»",
      greaterOrEqual: "Saisissez un nombre supérieur ou égal à celui de «\u{A0}{field}\u{A0}»"),
    dateOrder: .init(
      less: "Saisissez une date antérieure à celle de «\u{A0}{field}\u{A0}»",
      lessOrEqual: "Saisissez une date qui ne soit pas postérieure à celle de «\u{A0}{field}\u{A0}»",
      greater: "Saisissez une date postérieure à celle de «\u{A0}{field}\u{A0}»",
      greaterOrEqual: "Saisissez une date qui ne soit pas antérieure à celle de «\u{A0}{field}\u{A0}»"),
    timeOrder: .init(
      less: "Saisissez une heure antérieure à celle de «\u{A0}{field}\u{A0}»",
      lessOrEqual: "Saisissez une heure qui ne soit pas postérieure à celle de «\u{A0}{field}\u{A0}»",
      greater: "Saisissez une heure postérieure à celle de «\u{A0}{field}\u{A0}»",
      greaterOrEqual: "Saisissez une heure qui ne soit pas antérieure à celle de «\u{A0}{field}\u{A0}»"),
    dateTimeOrder: .init(
      less: "Saisissez une date et une heure antérieures à celles de «\u{A0}{field}\u{A0}»",
      lessOrEqual: "Saisissez une date et une heure qui ne soient pas postérieures à celles de «\u{A0}{field}\u{A0}»",
      greater: "Saisissez une date et une heure postérieures à celles de «\u{A0}{field}\u{A0}»",
      greaterOrEqual: "Saisissez une date et une heure qui ne soient pas antérieures à celles de «\u{A0}{field}\u{A0}»"),
    not: "Saisissez une autre valeur\u{A0}; celle-ci n’est pas autorisée",
    text: "Supprimez les caractères de contrôle de ce texte",
    line: "Écrivez tout sur une seule ligne",
    boolean: "Répondez true ou false",
    tooLong: .init(
      one: "Raccourcissez ce texte de {n} caractère", many: "Raccourcissez ce texte de {n} de caractères",
      other: "Raccourcissez ce texte de {n} caractères"),
    tooLongTogether: .init(
      one: "Raccourcissez vos réponses de {n} caractère au total",
      many: "Raccourcissez vos réponses de {n} de caractères au total",
      other: "Raccourcissez vos réponses de {n} caractères au total"),

    quote: "«\u{A0}{value}\u{A0}»",
    lastOr: " ou ",
    onlyIf: "Seulement si «\u{A0}{field}\u{A0}» vaut {values}",
    onlyIfChosen: "Seulement si {values} est choisi dans «\u{A0}{field}\u{A0}»",
    onlyIfOn: "Seulement si «\u{A0}{field}\u{A0}» est activé",
    onlyIfOff: "Seulement si «\u{A0}{field}\u{A0}» est désactivé",
    came: "Désormais demandé\u{A0}: {fields}",
    went: "N’est plus demandé\u{A0}: {fields}",

    problems: .init(one: "{n} problème.", many: "{n} de problèmes.", other: "{n} problèmes."),
    page: PageWords(
      ok: "OK", cancel: "Annuler", optional: "facultatif", choose: "Choisir…", none: "Aucune réponse",
      show: "Afficher", hide: "Masquer", showField: "Afficher\u{A0}: {field}", hideField: "Masquer\u{A0}: {field}",
      timeZone: "Fuseau horaire : {zone}",
      checking: "Vérification…",
      refused: "Saisissez une autre valeur",
      unreachable: "Le serveur est injoignable\u{A0}; réessayez",
      failed: "Votre réponse n’a pas été acceptée\u{A0}; réessayez dans un instant",
      error: "Erreur\u{A0}:", problem: "Il y a un problème", languages: "Langue",
      close: "Vous pouvez fermer cette page.", again: "Ouvrir à nouveau",
      accepted: .init(heading: "Merci", sentence: "La réponse a été acceptée."),
      cancelled: .init(heading: "Annulé", sentence: "Aucune réponse n’a été donnée."),
      done: .init(heading: "C’est fait", sentence: "Votre choix a été reçu."),
      expired: .init(heading: "Trop tard", sentence: "Le délai de réponse est écoulé."),
      withdrawn: .init(heading: "Plus nécessaire", sentence: "La question a été retirée."),
      answered: .init(heading: "Déjà répondu", sentence: "Cette question a déjà sa réponse."),
      notFound: .init(
        heading: "Introuvable",
        sentence: "Il n’y a pas de question à cette adresse. Vérifiez le lien, ou demandez-en un nouveau."),
      notPossible: .init(heading: "Impossible ici", sentence: "Ouvrez le lien une nouvelle fois."),
      tooLarge: .init(
        heading: "Trop long",
        sentence: "L’envoi est trop long pour être lu. Revenez en arrière, raccourcissez-le et envoyez-le à nouveau."),
      serverFault: .init(
        heading: "Un incident s’est produit ici",
        sentence: "Réessayez dans un instant. Si le problème persiste, prévenez la personne qui vous a envoyé le lien."),
      prompts: "Questions", noPrompts: "Il n’y a pas encore de questions."))
}
