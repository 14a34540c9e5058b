-- Read a complete room by the contract's loop, again and again, one reader per connection.
-- The next request depends on the previous response, so requests are queued until a connection is free.
-- Arguments: path of the room's message list with its limit, key, created_at of the room.

local start, key, created_at
local steps, first, last = {}, 1, 0

local function get(path)
  return wrk.format("GET", path, { ["Authorization"] = "Bearer " .. key })
end

function init(args)
  start, key, created_at = args[1], args[2], args[3]
end

function request()
  if first > last then return get(start) end
  local path = steps[first]
  steps[first] = nil
  first = first + 1
  return get(path)
end

function response(status, headers, body)
  local tail = body:sub(-400)
  local older = tail:match('"next_partition_cursor":"([^"]+)"')
  local path = start
  if tail:find('"shard_has_more":true', 1, true) then
    path = start .. "&cursor_sent_at=" .. tail:match('"next_cursor_sent_at":"([^"]+)"')
      .. "&cursor_message_id=" .. tail:match('"next_cursor_message_id":"([^"]+)"')
  elseif older >= created_at then
    path = start .. "&cursor_sent_at=" .. older
  end
  last = last + 1
  steps[last] = path
end

function done(summary, latency)
  local e = summary.errors
  print(string.format(
    '{"requests": %d, "seconds": %.6f, "failed": %d, "p50_ms": %.3f, "p99_ms": %.3f}',
    summary.requests, summary.duration / 1e6, e.connect + e.read + e.write + e.status + e.timeout,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end
