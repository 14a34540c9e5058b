-- Cycle through the requests of a file, one per line: method, path, key and body, separated by tabs.
-- Finally print one line of JSON for bench/load.py.

local requests, at = {}, 0

function init(args)
  for line in io.lines(args[1]) do
    local method, path, key, body = line:match("^(%S+)\t(%S+)\t(%S*)\t(.*)$")
    local headers = { ["Content-Type"] = "application/json" }
    if key ~= "" then headers["Authorization"] = "Bearer " .. key end
    requests[#requests + 1] = wrk.format(method, path, headers, body ~= "" and body or nil)
  end
  math.randomseed(os.time())
  at = math.random(#requests)
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency)
  local e = summary.errors
  print(string.format(
    '{"requests": %d, "seconds": %.6f, "failed": %d, "p50_ms": %.3f, "p99_ms": %.3f}',
    summary.requests, summary.duration / 1e6, e.connect + e.read + e.write + e.status + e.timeout,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end
