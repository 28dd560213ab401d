-- Asks made, waited for and answered, over all connections: `-- TOKEN`.
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

local json = { ["Content-Type"] = "application/json" }
local bearer

local function made(status, body)
  if status == 201 then return { id = body:match('"id":"([^"]+)"'), link = body:match('"link":"http://[^/]+([^"]+)"') } end
end

local function outcome(body) return body:match('"status":"closed".-"email":"([^"@]+)@example') end

function init(arguments)
  bearer = { ["Content-Type"] = "application/json", ["Authorization"] = "Bearer " .. arguments[1] }
  new, answers, answered = queue(), queue(), {}
  wakeTimes, failed = {}, ""
end

function request()
  local ask = answers.take()
  if ask then
    answered[ask.id] = now()
    return wrk.format("POST", ask.link, json, '{"outcome":"ok","values":{"email":"' .. ask.id .. '@example.com"}}')
  end
  ask = new.take()
  if ask then
    answers.add(ask)
    return wrk.format("GET", "/asks/" .. ask.id .. "?wait=50", bearer)
  end
  return wrk.format("POST", "/asks", bearer, '{"prompt":"email"}')
end

function response(status, headers, body)
  if status >= 300 then failed = status .. " " .. body:sub(1, 200) end
  local ask = made(status, body)
  if ask and ask.id then
    return new.add(ask)
  end
  local id = outcome(body)
  if id and answered[id] then
    table.insert(wakeTimes, string.format("%.3f", now() - answered[id]))
    answered[id] = nil
  end
end

function done()
  for _, thread in ipairs(threads) do
    io.write("wakes " .. table.concat(thread:get("wakeTimes"), " ") .. "\n")
    if thread:get("failed") ~= "" then io.write("failed " .. thread:get("failed") .. "\n") end
  end
end
