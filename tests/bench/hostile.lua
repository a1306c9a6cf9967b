-- Requests for wrk that nobody would send by mistake: long, many, repeated and
-- binary headers, broken weights, quotes that do not close, among ordinary ones.
-- From the environment:
--   VK_REQUESTS  how many to send, then stop
--   VK_SEED      another seed, other requests
-- Prints one line at the end: requests sent, answers, answers that were no 2xx or
-- 3xx, socket errors.

local ffi = require("ffi")
ffi.cdef("int getpid(void); int kill(int, int);")

local random = math.random
local threads, limit = {}, 0
sent = 0

function setup(thread)
	threads[#threads + 1] = thread
end

function init(args)
	math.randomseed(tonumber(os.getenv("VK_SEED") or "1"))
	limit = tonumber(os.getenv("VK_REQUESTS") or "10000")
end

local function one(t) return t[random(#t)] end

local names = { "Accept-Language", "Accept", "Accept-Encoding", "Cookie", "Origin", "RSC",
    "X-Feature", "DPR", "Sec-CH-UA", "User-Agent", "X-Group", "X-Device", "X-Varykit-Vary",
    "Vary", "X-Forwarded-Host", "Range", "If-None-Match", "X-Other" }
local words = { "en", "fr-CA", "de-DE-1996", "*", "text/html", "image/avif", "image/webp", "*/*",
    "image/*", "gzip", "br", "identity", "x-gzip", "zstd", "session=1", "lang=de", "lang=\"",
    "https://a.example", "null", "1.5", "-1", "1e9", "999999999999999999999", "a\\", "\"a\\\"b",
    "\"Chromium\";v=\"130\"", "\"Not A;Brand\";v=\"99\"", "\"open", "(a b", ":AA=:", "?1", "",
    "en-", "-", "a_b", "image/avif;level=\"1,2\"", "$Version=1", "=", "==", ";" }
local weights = { "", "", ";q=1", ";q=0.5", ";q=0", ";q=0.001", ";q=1.0001", ";q=-1", ";q=nan",
    ";q=1e9", ";q=", ";q", ";;q=1", ";Q=\"1\"", "; q = 1", ";q=0.5;q=0", ";q=0,5", ";q=.5", ";q=inf" }
local separators = { ",", ", ", " , ", ";", "; ", ",,", "\t,", " ", "&" }
local ordinary = {
	["Accept-Language"] = "de-AT,de;q=0.9,en;q=0.8", ["Accept"] = "text/html,image/webp,*/*;q=0.8",
	["Accept-Encoding"] = "gzip, deflate, br", ["Cookie"] = "_ga=1; lang=de; session=abc",
}

local function list(n)
	local t = {}
	for i = 1, n do t[i] = one(words) .. one(weights) .. one(separators) end
	return table.concat(t)
end

-- Bytes above 127 are obs-text; of the controls only the tab is allowed, so that
-- a few of these are answered by 400.
local function binary(n)
	local t = {}
	for i = 1, n do
		local c = random(128, 255)
		if random(2000) == 1 then c = random(0, 31) end
		t[i] = string.char(c)
	end
	return table.concat(t)
end

local function value()
	local k = random(100)
	if k <= 60 then return list(random(8)) end
	if k <= 70 then return list(random(80)) end
	if k <= 80 then return binary(random(40)) end
	if k <= 85 then return list(random(3)) .. binary(3) .. list(random(3)) end
	if k <= 92 then return one(words):rep(random(300)) end
	if k <= 95 then return one(separators):rep(random(4000)) end
	if k <= 99 then return "" end
	return ("a"):rep(random(3000, 9000))
end

local function case(name)
	local k = random(6)
	return k == 1 and name:lower() or k == 2 and name:upper() or name
end

function request()
	local t, n = {}, random(4)
	sent = sent + 1
	-- wrk itself sleeps until its time is over, or a SIGINT comes.
	if sent == limit then
		wrk.thread:stop()
		ffi.C.kill(ffi.C.getpid(), 2)
	end
	t[1] = one({ "GET", "GET", "GET", "GET", "GET", "GET", "GET", "GET", "POST", "OPTIONS" }) ..
	    " /v" .. random(0, 39) .. "/" .. random(0, 4) .. " HTTP/1.1\r\nHost: " ..
	    (random(50) == 1 and binary(9):gsub("[%z\1-\31]", "") or "blog.example")
	t[2] = "Content-Length: 0"
	if random(2) == 1 then
		for k, v in pairs(ordinary) do t[#t + 1] = k .. ": " .. v end
	end
	for _ = 1, n do
		local name, times = one(names), random(10) == 1 and random(12) or 1
		for _ = 1, times do t[#t + 1] = case(name) .. ":" .. one({ " ", "", "  \t" }) .. value() end
	end
	-- Many: up to Varnish's 64 and, seldom, over it.
	if random(40) == 1 then
		for i = 1, random(60) do t[#t + 1] = "X-" .. i .. ": " .. i end
	end
	return table.concat(t, "\r\n") .. "\r\n\r\n"
end

function done(summary)
	local total, e = 0, summary.errors
	for _, thread in ipairs(threads) do total = total + thread:get("sent") end
	io.write(string.format("hostile %d %d %d %d\n", total, summary.requests, e.status,
	    e.connect + e.read + e.write + e.timeout))
end
