extension Languages {
  /// As it is written in Brazil.
  static let portuguese = Wording<NoneOrOneMillionsOther>(
    tag: "pt-BR", name: "Português (Brasil)", comma: ", ", colon: ": ", or: ". Ou: ",

    nonEmpty: "Digite um valor",
    notBlank: "Digite pelo menos um caractere que não seja um espaço",
    chooseOption: "Escolha uma das opções",
    length: .init(
      exactly: .init(
        one: "Digite exatamente {n} caractere", many: "Digite exatamente {n} de caracteres",
        other: "Digite exatamente {n} caracteres"),
      atLeast: .init(
        one: "Digite pelo menos {n} caractere", many: "Digite pelo menos {n} de caracteres",
        other: "Digite pelo menos {n} caracteres"),
      atMost: .init(
        one: "Digite no máximo {n} caractere", many: "Digite no máximo {n} de caracteres",
        other: "Digite no máximo {n} caracteres"),
      between: .init(
        one: "Digite de {min} a {n} caractere", many: "Digite de {min} a {n} de caracteres",
        other: "Digite de {min} a {n} caracteres")),
    pattern: "Mude o texto para o formato pedido",
    predicate: "Digite outro valor; este não foi aceito",
    unchecked: "Não foi possível verificar; tente de novo daqui a pouco",
    email: "Digite um endereço de e-mail, como {example}",
    url: "Digite um endereço da web, como {example}",
    integer: "Digite um número inteiro, como {example}",
    number: "Digite um número, com ponto decimal, como {example}",
    date: "Digite uma data, como {example}",
    time: "Digite um horário, como {example}",
    dateTime: "Digite uma data e um horário, como {example}",
    skippedTime: "Nesse momento, o relógio passa direto de {from} para {to}: digite um horário anterior ou posterior",
    otherOffset: "Escreva a diferença como {offset}, que vale nesse horário, ou não a escreva",
    unknownZone:
      "Seu fuso horário não é conhecido aqui: digite o horário com a diferença em relação ao UTC, como {example}",
    numberRange: .init(
      between: "Digite um número de {min} a {max}", atLeast: "Digite um número a partir de {min}",
      atMost: "Digite um número até {max}"),
    dateRange: .init(
      between: "Digite uma data de {min} a {max}", atLeast: "Digite uma data a partir de {min}",
      atMost: "Digite uma data até {max}"),
    timeRange: .init(
      between: "Digite um horário entre {min} e {max}", atLeast: "Digite um horário a partir das {min}",
      atMost: "Digite um horário até as {max}"),
    dateTimeRange: .init(
      between: "Digite uma data e um horário entre {min} e {max}",
      atLeast: "Digite uma data e um horário a partir de {min}", atMost: "Digite uma data e um horário até {max}"),
    wholeNumber: "Digite um número inteiro",
    multiple: "Digite um múltiplo de {step}",
    multipleFrom: "Digite {from}, ou esse número mais ou menos um múltiplo de {step}",
    onlyValue: "Digite “{value}”",
    oneOfValues: "Digite um destes valores: {values}",
    acceptedValue: "Digite um dos valores aceitos",
    count: .init(
      exactly: .init(
        one: "Escolha exatamente {n} opção", many: "Escolha exatamente {n} de opções",
        other: "Escolha exatamente {n} opções"),
      atLeast: .init(
        one: "Escolha pelo menos {n} opção", many: "Escolha pelo menos {n} de opções",
        other: "Escolha pelo menos {n} opções"),
      atMost: .init(
        one: "Escolha no máximo {n} opção", many: "Escolha no máximo {n} de opções",
        other: "Escolha no máximo {n} opções"),
      between: .init(
        one: "Escolha de {min} a {n} opção", many: "Escolha de {min} a {n} de opções",
        other: "Escolha de {min} a {n} opções")),
    sameAs: "Digite o mesmo que em “{field}”",
    numberOrder: .init(
      less: "Digite um número menor que o de “{field}”",
      lessOrEqual: "Digite um número menor ou igual ao de “{field}”",
      greater: "Digite um número maior que o de “{field}”",
      greaterOrEqual: "Digite um número maior ou igual ao de “{field}”"),
    dateOrder: .init(
      less: "Digite uma data anterior à de “{field}”",
      lessOrEqual: "Digite uma data que não seja posterior à de “{field}”",
      greater: "Digite uma data posterior à de “{field}”",
      greaterOrEqual: "Digite uma data que não seja anterior à de “{field}”"),
    timeOrder: .init(
      less: "Digite um horário anterior ao de “{field}”",
      lessOrEqual: "Digite um horário que não seja posterior ao de “{field}”",
      greater: "Digite um horário posterior ao de “{field}”",
      greaterOrEqual: "Digite um horário que não seja anterior ao de “{field}”"),
    dateTimeOrder: .init(
      less: "Digite uma data e um horário anteriores aos de “{field}”",
      lessOrEqual: "Digite uma data e um horário que não sejam posteriores aos de “{field}”",
      greater: "Digite uma data e um horário posteriores aos de “{field}”",
      greaterOrEqual: "Digite uma data e um horário que não sejam anteriores aos de “{field}”"),
    not: "Digite outro valor; este não é permitido",
    text: "Remova os caracteres de controle deste texto",
    line: "Escreva tudo em uma linha só",
    boolean: "Responda true ou false",
    tooLong: .init(
      one: "Encurte este texto em {n} caractere", many: "Encurte este texto em {n} de caracteres",
      other: "Encurte este texto em {n} caracteres"),
    tooLongTogether: .init(
      one: "Encurte suas respostas em {n} caractere no total",
      many: "Encurte suas respostas em {n} de caracteres no total",
      other: "Encurte suas respostas em {n} caracteres no total"),

    quote: "“{value}”",
    lastOr: " ou ",
    onlyIf: "Somente se “{field}” for {values}",
    onlyIfChosen: "Somente se {values} for escolhido em “{field}”",
    onlyIfOn: "Somente se “{field}” estiver ativado",
    onlyIfOff: "Somente se “{field}” estiver desativado",
    came: "Agora também é perguntado: {fields}",
    went: "Não é mais perguntado: {fields}",

    problems: .init(one: "{n} problema.", many: "{n} de problemas.", other: "{n} problemas."),
    page: PageWords(
      ok: "OK", cancel: "Cancelar", optional: "opcional", choose: "Escolha…", none: "Sem resposta",
      show: "Mostrar", hide: "Ocultar", showField: "Mostrar: {field}", hideField: "Ocultar: {field}",
      timeZone: "Fuso horário: {zone}",
      checking: "Verificando…",
      refused: "Digite outro valor",
      unreachable: "Não foi possível acessar o servidor; tente de novo",
      failed: "Sua resposta não foi aceita; tente de novo daqui a pouco",
      error: "Erro:", problem: "Há um problema", languages: "Idioma",
      close: "Você já pode fechar esta página.", again: "Abrir de novo",
      accepted: .init(heading: "Obrigado", sentence: "A resposta foi aceita."),
      cancelled: .init(heading: "Cancelado", sentence: "Nenhuma resposta foi enviada."),
      done: .init(heading: "Pronto", sentence: "Sua escolha foi recebida."),
      expired: .init(heading: "Tarde demais", sentence: "O prazo para responder terminou."),
      withdrawn: .init(heading: "Não é mais necessário", sentence: "A pergunta foi retirada."),
      answered: .init(heading: "Já respondida", sentence: "Esta pergunta já tem resposta."),
      notFound: .init(
        heading: "Não encontrado",
        sentence: "Não há nenhuma pergunta neste endereço. Confira o link ou peça um novo."),
      notPossible: .init(heading: "Não é possível aqui", sentence: "Abra o link mais uma vez."),
      tooLarge: .init(
        heading: "Longo demais",
        sentence: "Foi enviado mais do que se pode ler. Volte, encurte e envie de novo."),
      serverFault: .init(
        heading: "Algo deu errado aqui",
        sentence: "Tente de novo daqui a pouco. Se o problema continuar, avise quem enviou o link a você."),
      prompts: "Perguntas", noPrompts: "Ainda não há perguntas."))
}
