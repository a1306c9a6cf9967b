// structured.mjs VECTORS READER: prints TAP on what READER (structured.c) makes of
// the public test vectors for structured fields, one line a file of them.
import fs from 'fs'
import { spawnSync } from 'child_process'
import { isDeepStrictEqual } from 'util'

const [dir, reader] = process.argv.slice(2)
const text = hex => Buffer.from(hex, 'hex').toString('utf8')

// As the vectors write it; a key that comes again keeps its place and its last value.
const ordered = pairs => [...new Map(pairs)]
function bare ([type, number, hex]) {
  switch (type) {
    case 'integer': return number
    case 'decimal': return number / 1000
    case 'string': return text(hex)
    case 'boolean': return number === 1
    case 'date': return { __type: 'date', value: number }
    case 'binary': return { __type: 'binary', value: hex }
    default: return { __type: type, value: text(hex) }
  }
}
const params = list => ordered(list.map(([k, v]) => [text(k), bare(v)]))
const member = ([, value, p]) =>
  [value.members ? value.members.map(member) : bare(value), params(p)]
function got (kind, read) {
  if (kind === 'item') return member(read.members[0])
  if (kind === 'list') return read.members.map(member)
  return ordered(read.members.map(m => [text(m[0]), member(m)]))
}

// The vectors write bytes in base32.
function hex (base32) {
  let bits = ''
  for (const c of base32.replace(/=/g, '')) {
    bits += 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(c).toString(2).padStart(5, '0')
  }
  return (bits.match(/.{8}/g) || []).map(b => parseInt(b, 2).toString(16).padStart(2, '0')).join('')
}
function wanted (v) {
  if (Array.isArray(v)) return v.map(wanted)
  if (v && v.__type === 'binary') return { __type: 'binary', value: hex(v.value) }
  return v
}

const files = fs.readdirSync(dir).filter(f => f.endsWith('.json') && f !== 'package.json').sort()
console.log(`1..${files.length}`)
let n = 0
for (const file of files) {
  const tests = JSON.parse(fs.readFileSync(`${dir}/${file}`, 'utf8')).filter(t => t.raw)
  const input = tests.map(t => t.header_type[0] + Buffer.from(t.raw.join(','), 'latin1').toString('hex') + '\n').join('')
  const run = spawnSync(reader, { input, encoding: 'utf8', maxBuffer: 1 << 28 })
  const lines = run.stdout.trimEnd().split('\n')
  const bad = tests.filter((t, i) => {
    const read = JSON.parse(lines[i] ?? '"nothing"')
    if (read === 'nothing') return true
    if (read === null) return !t.must_fail && !t.can_fail
    return t.must_fail || !isDeepStrictEqual(got(t.header_type, read), wanted(t.expected))
  })
  const ok = run.status === 0 && tests.length > 0 && bad.length === 0
  console.log(`${ok ? 'ok' : 'not ok'} ${++n} - ${file}: ${tests.length - bad.length} of ${tests.length}`)
  for (const t of bad.slice(0, 20)) console.log(`# ${t.name}: ${JSON.stringify(t.raw)}`)
}
