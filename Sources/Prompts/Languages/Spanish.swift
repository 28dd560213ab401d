extension Languages {
  static let spanish = Wording<OneMillionsOther>(
    tag: "es", name: "Español", comma: ", ", colon: ": ", or: ". O bien: ",

    nonEmpty: "Introduzca un valor",
    notBlank: "Introduzca al menos un carácter que no sea un espacio",
    chooseOption: "Elija una de las opciones",
    length: .init(
      exactly: .init(
        one: "Introduzca exactamente {n} carácter", many: "Introduzca exactamente {n} de caracteres",
        other: "Introduzca exactamente {n} caracteres"),
      atLeast: .init(
        one: "Introduzca al menos {n} carácter", many: "Introduzca al menos {n} de caracteres",
        other: "Introduzca al menos {n} caracteres"),
      atMost: .init(
        one: "Introduzca como máximo {n} carácter", many: "Introduzca como máximo {n} de caracteres",
        other: "Introduzca como máximo {n} caracteres"),
      between: .init(
        one: "Introduzca de {min} a {n} carácter", many: "Introduzca de {min} a {n} de caracteres",
        other: "Introduzca de {min} a {n} caracteres")),
    pattern: "Cambie el texto al formato que se pide",
    predicate: "Introduzca otro valor; este no se ha aceptado",
    unchecked: "No se ha podido comprobar; inténtelo de nuevo dentro de un momento",
    email: "Introduzca una dirección de correo electrónico, como {example}",
    url: "Introduzca una dirección web, como {example}",
    integer: "Introduzca un número entero, como {example}",
    number: "Introduzca un número, con punto decimal, como {example}",
    date: "Introduzca una fecha, como {example}",
    time: "Introduzca una hora, como {example}",
    dateTime: "Introduzca una fecha y una hora, como {example}",
    skippedTime:
      "En ese momento, el reloj pasa directamente de {from} a {to}: introduzca una hora anterior o posterior",
    otherOffset: "Escriba la diferencia como {offset}, que es la vigente a esa hora, u omítala",
    unknownZone:
      "Aquí no se conoce su zona horaria: introduzca la hora con su diferencia respecto a UTC, como {example}",
    numberRange: .init(
      between: "Introduzca un número del {min} al {max}", atLeast: "Introduzca un número a partir de {min}",
      atMost: "Introduzca un número que no pase de {max}"),
    dateRange: .init(
      between: "Introduzca una fecha del {min} al {max}", atLeast: "Introduzca una fecha a partir del {min}",
      atMost: "Introduzca una fecha hasta el {max}"),
    timeRange: .init(
      between: "Introduzca una hora entre las {min} y las {max}", atLeast: "Introduzca una hora a partir de las {min}",
      atMost: "Introduzca una hora hasta las {max}"),
    dateTimeRange: .init(
      between: "Introduzca una fecha y una hora entre {min} y {max}",
      atLeast: "Introduzca una fecha y una hora a partir de {min}",
      atMost: "Introduzca una fecha y una hora hasta {max}"),
    wholeNumber: "Introduzca un número entero",
    multiple: "Introduzca un múltiplo de {step}",
    multipleFrom: "Introduzca {from}, o ese número más o menos un múltiplo de {step}",
    onlyValue: "Introduzca «{value}»",
    oneOfValues: "Introduzca uno de estos valores: {values}",
    acceptedValue: "Introduzca uno de los valores admitidos",
    count: .init(
      exactly: .init(
        one: "Elija exactamente {n} opción", many: "Elija exactamente {n} de opciones",
        other: "Elija exactamente {n} opciones"),
      atLeast: .init(
        one: "Elija al menos {n} opción", many: "Elija al menos {n} de opciones", other: "Elija al menos {n} opciones"),
      atMost: .init(
        one: "Elija como máximo {n} opción", many: "Elija como máximo {n} de opciones",
        other: "Elija como máximo {n} opciones"),
      between: .init(
        one: "Elija de {min} a {n} opción", many: "Elija de {min} a {n} de opciones",
        other: "Elija de {min} a {n} opciones")),
    sameAs: "Introduzca lo mismo que en «{field}»",
    numberOrder: .init(
      less: "Introduzca un número menor que el de «{field}»",
      lessOrEqual: "Introduzca un número menor o igual que el de «{field}»",
      greater: "Introduzca un número mayor que el de «{field}»",
      greaterOrEqual: "Introduzca un número mayor o igual que el de «{field}»"),
    dateOrder: .init(
      less: "Introduzca una fecha anterior a la de «{field}»",
      lessOrEqual: "Introduzca una fecha que no sea posterior a la de «{field}»",
      greater: "Introduzca una fecha posterior a la de «{field}»",
      greaterOrEqual: "Introduzca una fecha que no sea anterior a la de «{field}»"),
    timeOrder: .init(
      less: "Introduzca una hora anterior a la de «{field}»",
      lessOrEqual: "Introduzca una hora que no sea posterior a la de «{field}»",
      greater: "Introduzca una hora posterior a la de «{field}»",
      greaterOrEqual: "Introduzca una hora que no sea anterior a la de «{field}»"),
    dateTimeOrder: .init(
      less: "Introduzca una fecha y una hora anteriores a las de «{field}»",
      lessOrEqual: "Introduzca una fecha y una hora que no sean posteriores a las de «{field}»",
      greater: "Introduzca una fecha y una hora posteriores a las de «{field}»",
      greaterOrEqual: "Introduzca una fecha y una hora que no sean anteriores a las de «{field}»"),
    not: "Introduzca otro valor; este no está permitido",
    text: "Elimine los caracteres de control de este texto",
    line: "Escríbalo todo en una sola línea",
    boolean: "Responda true o false",
    tooLong: .init(
      one: "Acorte este texto en {n} carácter", many: "Acorte este texto en {n} de caracteres",
      other: "Acorte este texto en {n} caracteres"),
    tooLongTogether: .init(
      one: "Acorte sus respuestas en {n} carácter en total",
      many: "Acorte sus respuestas en {n} de caracteres en total",
      other: "Acorte sus respuestas en {n} caracteres en total"),

    quote: "«{value}»",
    lastOr: " o ",
    onlyIf: "Solo si «{field}» es {values}",
    onlyIfChosen: "Solo si se elige {values} en «{field}»",
    onlyIfOn: "Solo si «{field}» está activado",
    onlyIfOff: "Solo si «{field}» está desactivado",
    came: "Ahora también se pregunta: {fields}",
    went: "Ya no se pregunta: {fields}",

    problems: .init(one: "{n} problema.", many: "{n} de problemas.", other: "{n} problemas."),
    page: PageWords(
      ok: "Aceptar", cancel: "Cancelar", optional: "opcional", choose: "Elija…", none: "Sin respuesta",
      show: "Mostrar", hide: "Ocultar", showField: "Mostrar: {field}", hideField: "Ocultar: {field}",
      timeZone: "Zona horaria: {zone}",
      checking: "Comprobando…",
      refused: "Introduzca otro valor",
      unreachable: "No se puede conectar con el servidor; inténtelo de nuevo",
      failed: "Su respuesta no se ha aceptado; inténtelo de nuevo dentro de un momento",
      error: "Error:", problem: "Hay un problema", languages: "Idioma",
      close: "Ya puede cerrar esta página.", again: "Abrir de nuevo",
      accepted: .init(heading: "Gracias", sentence: "Se ha aceptado la respuesta."),
      cancelled: .init(heading: "Cancelado", sentence: "No se ha enviado ninguna respuesta."),
      done: .init(heading: "Hecho", sentence: "Se ha recibido su elección."),
      expired: .init(heading: "Demasiado tarde", sentence: "El plazo para responder ha terminado."),
      withdrawn: .init(heading: "Ya no hace falta", sentence: "La pregunta se ha retirado."),
      answered: .init(heading: "Ya respondida", sentence: "Esta pregunta ya tiene respuesta."),
      notFound: .init(
        heading: "No encontrado",
        sentence: "No hay ninguna pregunta en esta dirección. Compruebe el enlace o pida uno nuevo."),
      notPossible: .init(heading: "Aquí no es posible", sentence: "Abra el enlace otra vez."),
      tooLarge: .init(
        heading: "Demasiado largo",
        sentence: "Se ha enviado más de lo que se puede leer. Vuelva atrás, acórtelo y envíelo de nuevo."),
      serverFault: .init(
        heading: "Algo ha fallado aquí",
        sentence:
          "Inténtelo de nuevo dentro de un momento. Si sigue fallando, avise a la persona que le envió el enlace."),
      prompts: "Preguntas", noPrompts: "Todavía no hay preguntas."))
}
