-- Visitors for wrk: pages by Zipf's law, browsers and languages as often as the
-- tables say, most of them with a tracker's cookie.  From the environment:
--   VK_BROWSERS VK_LANGUAGES  tables, weight<TAB>value
--   VK_PAGES                  how many pages there are
--   VK_DELAY                  mean pause of a connection in ms, exponentially
--                             distributed; 0: none, as fast as it goes
--   VK_COOKIES               0: none (builtin.vcl passes requests with cookies);
--                             lang: all have one that says their language, too
--   VK_SEED                   another seed, other visitors
-- Prints one line at the end: requests, answers that were no 2xx or 3xx, socket
-- errors, requests/s, p50 and p99 in ms.

local function read(name)
	local sum, value, upto = 0, {}, {}
	for line in io.lines(name) do
		local w, v = line:match("^(%d+)\t(.*)$")
		sum = sum + tonumber(w)
		value[#value + 1] = v
		upto[#upto + 1] = sum
	end
	return { sum = sum, value = value, upto = upto }
end

local function zipf(n)
	local sum, value, upto = 0, {}, {}
	for i = 1, n do
		sum = sum + 1 / i
		value[i] = string.format("/page%d.html", i)
		upto[i] = sum
	end
	return { sum = sum, value = value, upto = upto }
end

-- The first entry whose running sum is above a random point.
local function pick(t)
	local x, lo, hi = math.random() * t.sum, 1, #t.upto
	while lo < hi do
		local mid = math.floor((lo + hi) / 2)
		if t.upto[mid] > x then hi = mid else lo = mid + 1 end
	end
	return t.value[lo]
end

local browsers, languages, pages, mean, cookies

function init(args)
	math.randomseed(tonumber(os.getenv("VK_SEED") or "1"))
	browsers = read(os.getenv("VK_BROWSERS"))
	languages = read(os.getenv("VK_LANGUAGES"))
	for i, tag in ipairs(languages.value) do
		local short = tag:match("^(%a+)-")
		if short then languages.value[i] = tag .. "," .. short .. ";q=0.9" end
	end
	pages = zipf(tonumber(os.getenv("VK_PAGES") or "100"))
	mean = tonumber(os.getenv("VK_DELAY") or "0")
	if mean == 0 then delay = nil end
	cookies = os.getenv("VK_COOKIES")
end

function delay()
	return math.floor(-math.log(1 - math.random()) * mean + 0.5)
end

function request()
	local cookie, language = "", pick(languages)
	if cookies == "lang" then
		cookie = "lang=" .. language:sub(1, 2)
	end
	if cookies ~= "0" and math.random() < 0.8 then
		cookie = cookie .. (cookie == "" and "" or "; ") .. "_ga=GA1.1." .. math.random(1000000000)
	end
	if cookie ~= "" then
		cookie = "Cookie: " .. cookie .. "\r\n"
	end
	return "GET " .. pick(pages) .. " HTTP/1.1\r\nHost: blog.example\r\n" ..
	    "User-Agent: " .. pick(browsers) .. "\r\n" ..
	    "Accept-Language: " .. language .. "\r\n" ..
	    "Accept-Encoding: gzip, deflate, br, zstd\r\n" .. cookie .. "\r\n"
end

function done(summary, latency, requests)
	local e = summary.errors
	io.write(string.format("visitors %d %d %d %.0f %.3f %.3f\n", summary.requests,
	    e.status, e.connect + e.read + e.write + e.timeout,
	    summary.requests / summary.duration * 1e6,
	    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
