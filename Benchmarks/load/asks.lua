-- Asks made, waited for and answered, over all connections: `-- KIND TOKEN` with the kind `okcancel` or `awaithumans`.
--
-- A connection that is free answers the ask that has waited longest for it, else waits for one that was made, else makes
-- one. So there is always somebody to answer who is waited for. The answer is the ask's own id as an address, so that it
-- can be told whose outcome came.

local ffi = require("ffi")
ffi.cdef [[ typedef struct { long seconds, nanoseconds; } bench_time; int clock_gettime(int clock, bench_time *time); ]]
local time = ffi.new("bench_time")
local function now()
  ffi.C.clock_gettime(1, time)
  return tonumber(time.seconds) * 1e3 + tonumber(time.nanoseconds) / 1e6
end

local function queue()
  local items, first, last = {}, 1, 0
  return {
    add = function(item)
      last = last + 1
      items[last] = item
    end,
    take = function()
      local item = items[first]
      if item then
        items[first] = nil
        first = first + 1
      end
      return item
    end,
  }
end

local threads = {}
function setup(thread) table.insert(threads, thread) end

local server
local json = { ["Content-Type"] = "application/json" }
local bearer

local servers = {
  okcancel = {
    create = function() return wrk.format("POST", "/asks", bearer, '{"prompt":"email"}') end,
    wait = function(ask) return wrk.format("GET", "/asks/" .. ask.id .. "?wait=50", bearer) end,
    answer = function(ask)
      return wrk.format("POST", ask.link, json, '{"outcome":"ok","values":{"email":"' .. ask.id .. '@example.com"}}')
    end,
    made = function(status, body)
      if status == 201 then return { id = body:match('"id":"([^"]+)"'), link = body:match('"link":"http://[^/]+([^"]+)"') } end
    end,
    outcome = function(body) return body:match('"status":"closed".-"email":"([^"@]+)@example') end,
  },
  awaithumans = {
    create = function()
      number = number + 1
      return wrk.format("POST", "/api/tasks", bearer, '{"task":"What is your email address?","payload":{},"payload_schema":{},' ..
        '"response_schema":{"type":"object","properties":{"email":{"type":"string"}},"required":["email"]},' ..
        '"timeout_seconds":900,"idempotency_key":"' .. run .. "-" .. number .. '"}')
    end,
    wait = function(ask) return wrk.format("GET", "/api/tasks/" .. ask.id .. "/poll?timeout=30", bearer) end,
    answer = function(ask)
      return wrk.format("POST", "/api/tasks/" .. ask.id .. "/complete", bearer, '{"response":{"email":"' .. ask.id .. '@example.com"}}')
    end,
    made = function(status, body)
      if status == 201 then return { id = body:match('"id":"([^"]+)"') } end
    end,
    -- A poll has no id of its own; an answered task, which has one, comes back from its answer too.
    outcome = function(body) return not body:find('"idempotency_key"', 1, true) and body:match('"email":"([^"@]+)@example') or nil end,
  },
}

function init(arguments)
  server = servers[arguments[1]]
  bearer = { ["Content-Type"] = "application/json", ["Authorization"] = "Bearer " .. arguments[2] }
  run, number = tostring(now()), 0
  made, answers, answered = queue(), queue(), {}
  woken, wakeTimes, failed = 0, {}, ""
end

function request()
  local ask = answers.take()
  if ask then
    answered[ask.id] = now()
    return server.answer(ask)
  end
  ask = made.take()
  if ask then
    answers.add(ask)
    return server.wait(ask)
  end
  return server.create()
end

function response(status, headers, body)
  if status >= 300 then failed = status .. " " .. body:sub(1, 200) end
  local ask = server.made(status, body)
  if ask and ask.id then
    return made.add(ask)
  end
  local id = server.outcome(body)
  if id and answered[id] then
    table.insert(wakeTimes, string.format("%.3f", now() - answered[id]))
    answered[id] = nil
    woken = woken + 1
  end
end

function done()
  for _, thread in ipairs(threads) do
    io.write("woken " .. thread:get("woken") .. "\nwakes " .. table.concat(thread:get("wakeTimes"), " ") .. "\n")
    if thread:get("failed") ~= "" then io.write("failed " .. thread:get("failed") .. "\n") end
  end
end
