-- One request again and again: `-- METHOD [BODY [NAME VALUE]...]`.
function init(arguments)
  local headers = {}
  for index = 3, #arguments, 2 do headers[arguments[index]] = arguments[index + 1] end
  wrk.method = arguments[1] or "GET"
  wrk.body = arguments[2] ~= "" and arguments[2] or nil
  for name, value in pairs(headers) do wrk.headers[name] = value end
  prepared = wrk.format()
end

function request() return prepared end
