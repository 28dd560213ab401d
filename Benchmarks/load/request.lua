-- One request again and again: `-- METHOD [BODY [NAME VALUE]...]`. wrk makes it once, as nothing here makes requests.
function init(arguments)
  for index = 3, #arguments, 2 do wrk.headers[arguments[index]] = arguments[index + 1] end
  wrk.method = arguments[1] or "GET"
  wrk.body = arguments[2] ~= "" and arguments[2] or nil
end
