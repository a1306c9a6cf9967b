// judge.mjs PACKAGE BUILTIN.json VARYKIT.json: prints TAP on what the public cache
// tests (https://cache-tests.fyi) say of Varnish with its built-in VCL and of the
// same Varnish with vary.vcl and the policy of german.vcl.
import fs from 'fs'
import { pathToFileURL } from 'url'

const [pkg, ...files] = process.argv.slice(2)
const url = name => pathToFileURL(`${pkg}/${name}`).href
const suites = (await import(url('tests/index.mjs'))).default
const surrogate = (await import(url('tests/surrogate-control.mjs'))).default
const [builtin, varykit] = files.map(f => {
  const text = fs.readFileSync(f, 'utf8')
  // Whatever the client has to say stands before the results.
  return JSON.parse(text.slice(text.search(/^\{$/m)))
})

const tests = []
for (const suite of [...suites, surrogate]) {
  for (const test of suite.tests) if (!test.browser_only) tests.push(test)
}

// As the suite itself judges: a test that others depend on goes first, "optimal"
// is no duty, "check" is only an observation.
function verdict (results, test) {
  const result = results[test.id]
  if (result === undefined) return 'not run'
  for (const id of test.depends_on || []) {
    const other = tests.find(t => t.id === id)
    if (other && !['pass', 'yes'].includes(verdict(results, other))) {
      return 'dependency'
    }
  }
  if (result === true) return test.kind === 'check' ? 'yes' : 'pass'
  if (result[0] === 'Setup') return 'setup'
  if (test.kind === 'optimal') return 'sub-optimal'
  return test.kind === 'check' ? 'no' : 'fail'
}

const vary = tests.filter(t => /^vary-/.test(t.id) || t.id === 'conditional-etag-vary-headers')
const others = tests.filter(t => !vary.includes(t))
const good = v => v === 'pass' || v === 'yes'
let n = 0
const say = (ok, text) => console.log(`${ok ? 'ok' : 'not ok'} ${++n} - ${text}`)
const count = (list, results) => list.filter(t => good(verdict(results, t))).length

console.log(`1..${vary.length + 2}`)
for (const test of vary) {
  const v = verdict(varykit, test)
  say(good(v), `${test.id}: ${v} (built-in VCL: ${verdict(builtin, test)})`)
}
const before = count(vary, builtin)
say(before < vary.length, `the built-in VCL passes ${before} of these ${vary.length}, this one ${count(vary, varykit)}`)
const worse = others.filter(t => good(verdict(builtin, t)) && !good(verdict(varykit, t)))
say(worse.length === 0, `no other test gets worse: ${count(others, builtin)} of ${others.length} passed before, ${count(others, varykit)} now`)
for (const t of worse) {
  console.log(`# ${t.id}: ${verdict(builtin, t)}, now ${verdict(varykit, t)}: ${JSON.stringify(varykit[t.id])}`)
}
