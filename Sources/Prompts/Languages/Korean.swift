extension Languages {
  static let korean = Wording<OneForm>(
    tag: "ko", name: "한국어", comma: ", ", colon: ": ", or: ". 또는: ",

    nonEmpty: "값을 입력하세요",
    notBlank: "공백이 아닌 문자를 하나 이상 입력하세요",
    chooseOption: "옵션 중 하나를 선택하세요",
    length: .init(
      exactly: "정확히 {n}자를 입력하세요", atLeast: "{n}자 이상 입력하세요", atMost: "{n}자 이하로 입력하세요",
      between: "{min}~{n}자로 입력하세요"),
    pattern: "요청된 형식에 맞게 고치세요",
    predicate: "다른 값을 입력하세요. 이 값은 받아들여지지 않았습니다",
    unchecked: "확인하지 못했습니다. 잠시 후 다시 시도하세요",
    email: "이메일 주소를 입력하세요. 예: {example}",
    url: "웹 주소를 입력하세요. 예: {example}",
    integer: "정수를 입력하세요. 예: {example}",
    number: "숫자를 입력하세요. 예: {example}",
    date: "날짜를 입력하세요. 예: {example}",
    time: "시간을 입력하세요. 예: {example}",
    dateTime: "날짜와 시간을 입력하세요. 예: {example}",
    numberRange: .init(
      between: "{min}부터 {max}까지의 숫자를 입력하세요", atLeast: "{min} 이상의 숫자를 입력하세요",
      atMost: "{max} 이하의 숫자를 입력하세요"),
    dateRange: .init(
      between: "{min}부터 {max}까지의 날짜를 입력하세요", atLeast: "{min} 또는 그 이후의 날짜를 입력하세요",
      atMost: "{max} 또는 그 이전의 날짜를 입력하세요"),
    timeRange: .init(
      between: "{min}부터 {max}까지의 시간을 입력하세요", atLeast: "{min} 또는 그 이후의 시간을 입력하세요",
      atMost: "{max} 또는 그 이전의 시간을 입력하세요"),
    dateTimeRange: .init(
      between: "{min}부터 {max}까지의 날짜와 시간을 입력하세요", atLeast: "{min} 또는 그 이후의 날짜와 시간을 입력하세요",
      atMost: "{max} 또는 그 이전의 날짜와 시간을 입력하세요"),
    wholeNumber: "정수를 입력하세요",
    multiple: "{step}의 배수를 입력하세요",
    multipleFrom: "{from} 또는 이 값에 {step}의 배수를 더하거나 뺀 숫자를 입력하세요",
    onlyValue: "‘{value}’을(를) 입력하세요",
    oneOfValues: "다음 중 하나를 입력하세요: {values}",
    acceptedValue: "허용된 값 중 하나를 입력하세요",
    count: .init(
      exactly: "정확히 {n}개를 선택하세요", atLeast: "{n}개 이상 선택하세요", atMost: "{n}개 이하로 선택하세요",
      between: "{min}~{n}개를 선택하세요"),
    sameAs: "‘{field}’ 항목과 같은 내용을 입력하세요",
    numberOrder: .init(
      less: "‘{field}’ 항목보다 작은 숫자를 입력하세요", lessOrEqual: "‘{field}’ 항목보다 크지 않은 숫자를 입력하세요",
      greater: "‘{field}’ 항목보다 큰 숫자를 입력하세요", greaterOrEqual: "‘{field}’ 항목보다 작지 않은 숫자를 입력하세요"),
    dateOrder: .init(
      less: "‘{field}’ 항목보다 이른 날짜를 입력하세요", lessOrEqual: "‘{field}’ 항목보다 늦지 않은 날짜를 입력하세요",
      greater: "‘{field}’ 항목보다 늦은 날짜를 입력하세요", greaterOrEqual: "‘{field}’ 항목보다 이르지 않은 날짜를 입력하세요"),
    timeOrder: .init(
      less: "‘{field}’ 항목보다 이른 시간을 입력하세요", lessOrEqual: "‘{field}’ 항목보다 늦지 않은 시간을 입력하세요",
      greater: "‘{field}’ 항목보다 늦은 시간을 입력하세요", greaterOrEqual: "‘{field}’ 항목보다 이르지 않은 시간을 입력하세요"),
    dateTimeOrder: .init(
      less: "‘{field}’ 항목보다 이른 날짜와 시간을 입력하세요",
      lessOrEqual: "‘{field}’ 항목보다 늦지 않은 날짜와 시간을 입력하세요",
      greater: "‘{field}’ 항목보다 늦은 날짜와 시간을 입력하세요",
      greaterOrEqual: "‘{field}’ 항목보다 이르지 않은 날짜와 시간을 입력하세요"),
    not: "다른 값을 입력하세요. 이 값은 허용되지 않습니다",
    text: "텍스트에서 제어 문자를 삭제하세요",
    line: "한 줄로 입력하세요",
    boolean: "true 또는 false로 답하세요",
    tooLong: "{n}자를 줄이세요",
    tooLongTogether: "답변을 모두 합쳐 {n}자 줄이세요",

    quote: "‘{value}’",
    lastOr: " 또는 ",
    onlyIf: "‘{field}’ 항목이 {values}일 때만",
    onlyIfChosen: "‘{field}’ 항목에서 {values}을(를) 선택했을 때만",
    onlyIfOn: "‘{field}’ 항목이 켜져 있을 때만",
    onlyIfOff: "‘{field}’ 항목이 꺼져 있을 때만",
    came: "추가로 입력할 항목: {fields}",
    went: "더 이상 필요 없는 항목: {fields}",

    problems: "문제가 {n}개 있습니다.",
    page: PageWords(
      ok: "확인", cancel: "취소", optional: "선택 사항", choose: "선택하세요…", none: "답변 안 함",
      show: "표시", hide: "숨기기", showField: "{field} 표시", hideField: "{field} 숨기기",
      checking: "확인하는 중…",
      refused: "다른 값을 입력하세요",
      unreachable: "서버에 연결할 수 없습니다. 다시 시도하세요",
      failed: "답변이 접수되지 않았습니다. 잠시 후 다시 시도하세요",
      error: "오류:", problem: "문제가 있습니다", languages: "언어",
      close: "이 페이지를 닫아도 됩니다.", again: "다시 열기",
      accepted: .init(heading: "감사합니다", sentence: "답변이 접수되었습니다."),
      cancelled: .init(heading: "취소됨", sentence: "답변을 보내지 않았습니다."),
      done: .init(heading: "완료", sentence: "선택한 내용을 받았습니다."),
      expired: .init(heading: "기한이 지났습니다", sentence: "답변할 수 있는 시간이 끝났습니다."),
      withdrawn: .init(heading: "더 이상 필요하지 않습니다", sentence: "질문이 취소되었습니다."),
      answered: .init(heading: "이미 답변했습니다", sentence: "이 질문에는 이미 답변이 있습니다."),
      notFound: .init(heading: "찾을 수 없음", sentence: "이 주소에는 질문이 없습니다. 링크를 확인하거나 새 링크를 요청하세요."),
      notPossible: .init(heading: "여기서는 할 수 없습니다", sentence: "링크를 한 번 더 여세요."),
      tooLarge: .init(heading: "너무 깁니다", sentence: "보낸 내용이 너무 길어 읽을 수 없습니다. 돌아가서 줄인 다음 다시 보내세요."),
      serverFault: .init(heading: "문제가 발생했습니다", sentence: "잠시 후 다시 시도하세요. 문제가 계속되면 링크를 보낸 사람에게 알려 주세요."),
      prompts: "질문", noPrompts: "아직 질문이 없습니다."))
}
