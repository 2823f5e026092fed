import {
  abstains,
  ask,
  asks,
  definePolicy,
  quoted,
  rootAround,
  setOf,
  toolWords,
  type TouchedPath,
  wayWithin,
} from 'hookgate/policy'
import { isFirstParty, type Owner, ownerOf } from './belonging.ts'
import { isSubstance } from './contents.ts'
import { trustedHosts } from './params.ts'
import { type InputText, textsIn } from './tool-input.ts'

/** Signs of a line of code: how it begins, or how it ends. */
const begins =
  /^\s*(?:import|export|from|const|let|var|def|class|function|func|fn|pub|public|private|protected|return|if|elif|else|for|while|switch|case|try|catch|except|with|package|using|use|require|module|interface|type|struct|enum|async|await|raise|throw|end|SELECT|INSERT|CREATE|ALTER|#include|#define|<\?php|@\w+|\w+(?:\.\w+)*\s*(?:[-+*/|]?=|:=)\s*\S|\w+(?:\.\w+)*\(|[})\]])/
const ends = /(?:[;{}([]|=>|\)\s*:|[\w)\]'"],)\s*$/
/** A line of a report on a failure. */
const traced = /^\s*(?:at\s|File "|#\d+\s|\d+[:|])/
const setting = /^(?:export )?[A-Z][A-Z0-9_]*=\S/
const dumped = /^(?:INSERT INTO\s+\S+|COPY .{1,400}\bFROM stdin)/im
const change = /^@@ -\d+(?:,\d+)? \+\d+/m

/** As many lines are a file; fewer are a quotation. */
const linesMin = 10
const settingsMin = 5
/** A longer text is judged by its beginning. */
const charactersMax = 20_000

/** True if as many lines are of a table, with the same number of separators in each. */
function isTable(lines: readonly string[]): boolean {
  return [',', ';', '\t'].some((mark) => {
    const counts = lines.map((line) => line.split(mark).length - 1)
    const [first = 0] = counts
    return first > 1 && counts.every((count) => count === first) && lines.every((line) => !/[.!?]$/.test(line))
  })
}

/** Words before a password, and what stands right in front of it. */
const announced = () => /\b(?:pass(?:word|phrase|code)|pwd?|credentials?|creds|log-?in)\b/gi
const said = () => /(?:\b(?:is|are|with)|[:=/|→])\s{1,4}["'`]?([^\s"'`]{8,64})/g
/** A sentence says its password soon. */
const sentenceMax = 160

/** True if a sentence says a password: letters of both kinds or signs, with digits, and no name of anything. */
function saysPassword(text: string): boolean {
  return [...text.matchAll(announced())].some(({ index }) =>
    [...text.slice(index, index + sentenceMax).matchAll(said())].some(([, word = '']) => isPassword(word)),
  )
}

function isPassword(word: string): boolean {
  const bare = word.replace(/[.,;:!?)]+$/, '')
  if (/[/\\$<>{}*]|^v?\d+\.|^\d{4}-\d\d|^[A-Z]+-\d+$|^[\w.-]+@|\.[a-z]{2,5}(?::\d+)?$/.test(bare)) return false
  return bare.length >= 8 && /\d/.test(bare) && /[a-z]/.test(bare) && /[A-Z!#%&+?@^~_-]/.test(bare)
}

/** Returns what a text is, if it is no message but what somebody keeps: source, settings, rows, a dump, a change. */
function keptIn(whole: string): string | undefined {
  const text = whole.slice(0, charactersMax)
  if (saysPassword(text)) return 'a password'
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.filter((line) => setting.test(line)).length >= settingsMin) return 'settings of an environment'
  if (dumped.test(text) || (lines.length >= linesMin && isTable(lines))) return 'rows of data'
  // The body of a request is JSON.
  if (lines.length < linesMin || /^\s*[[{]\s*["{\]}]/.test(text)) return undefined
  if (change.test(text)) return 'a change of source'
  const code = lines.filter((line) => !traced.test(line) && (begins.test(line) || ends.test(line))).length
  return code >= linesMin && code * 10 >= lines.length * 7 ? 'source' : undefined
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Decodes base64 and its form for addresses; `undefined` where it is none, or no text. */
function decoded(text: string): string | undefined {
  if (text.length < 100 || !/^[\w+/-]+={0,2}$/.test(text)) return undefined
  let plain = ''
  let bits = 0
  let held = 0
  for (const sign of text.replaceAll('-', '+').replaceAll('_', '/').replaceAll('=', '')) {
    held = (held * 64 + digits.indexOf(sign)) % 65_536
    bits += 6
    if (bits < 8) continue
    bits -= 8
    plain += String.fromCharCode(Math.floor(held / 2 ** bits) % 256)
  }
  return /^[\t\n\r -~]*$/.test(plain) ? plain : undefined
}

/** Returns what an address carries, written into it as it is or encoded. */
function keptInAddress(address: string): string | undefined {
  for (const part of address.slice(0, charactersMax).split(/[/?&#=]/)) {
    let text = part
    try {
      text = decodeURIComponent(part.replaceAll('+', ' '))
    } catch {
      // A text that is no encoding stays as written.
    }
    const kept = keptIn(decoded(part) ?? text)
    if (kept !== undefined) return kept
  }
  return undefined
}

const source =
  'import a\nimport b\nimport c\n\ndef f(x):\n  y = a(x)\n  z = b(y)\n  if z:\n    return c(z)\n  w = a(z)\n  v = b(w)\n  return c(v)'
const settings = 'HOST=a\nPORT=1\nDB_USER=a\nDB_NAME=a\nMODE=live\nREGION=eu'
const rows =
  '1,Ada,pro\n2,Ada,pro\n3,Ada,pro\n4,Ada,pro\n5,Ada,pro\n6,Ada,pro\n7,Ada,pro\n8,Ada,pro\n9,Ada,pro\n10,Ada,pro\n11,Ada,pro'
const prose = '\nOne.\nTwo.\nThree.\nFour.\nFive.\nSix.\nSeven.\nEight.\nNine.\nTen.\nEleven.'
const trace =
  '\n  at a (a:1)\n  at b (a:2)\n  at c (a:3)\n  at d (a:4)\n  at e (a:5)\n  at f (a:6)\n  at g (a:7)\n  at h (a:8)\n  at i (a:9)\n  at j (a:10)'
const json = '{\n"a": 1,\n"b": 1,\n"c": 1,\n"d": 1,\n"e": 1,\n"f": 1,\n"g": 1,\n"h": 1,\n"i": 1,\n"j": 1,\n"k": 1\n}'
const encoded = 'HOST%3Da%0APORT%3D1%0ADB_USER%3Da%0ADB_NAME%3Da%0AMODE%3Dlive'
const remote = 'https://github.com/acme/shop.git'
const comment = 'mcp__github__add_issue_comment'

const sharedTextExamples = [
  asks('source in a chat', { tool: 'mcp__slack__post_message', input: { text: source } }),
  abstains('a message', { tool: 'mcp__slack__post_message', input: { text: prose } }),
  asks('a password', {
    tool: 'mcp__slack__post_message',
    input: { text: 'The admin login for shop.example is ops@shop.example / 9vT!kQ2-mLx, use it until SSO is back' },
  }),
  asks('another', { tool: 'mcp__gmail__send_email', input: { body: 'Password: Winter-2026-x' } }),
  abstains('where one is', { tool: 'mcp__slack__post_message', input: { text: 'The password is in 1Password-Vault' } }),
  abstains('a bug of the login', {
    tool: 'mcp__slack__post_message',
    input: { text: 'Login is broken since v2.3.1-RC1: see SHOP-1234, src/Login.tsx:42 and login-form_v2.test.ts' },
  }),
  abstains('a failure', { tool: 'mcp__slack__post_message', input: { text: trace } }),
  asks('settings by mail', { tool: 'mcp__gmail__send_email', input: { body: settings } }),
  asks('rows on a page', { tool: 'mcp__notion__create_page', input: { children: [{ text: rows }] } }),
  asks('a dump', { tool: 'mcp__paste__create_paste', input: { text: 'INSERT INTO users VALUES (1)' } }),
  asks('a change', { tool: 'mcp__paste__create_paste', input: { text: `@@ -1,2 +1,2 @@\n${prose}` } }),
  abstains('a body of JSON', { tool: 'mcp__http__post', input: { body: json } }),
  abstains('source that is looked for', { tool: 'mcp__code__search', input: { query: source } }),
  abstains('a file that is written here', { tool: 'mcp__a__create_file', input: { path: 'src/a.ts', text: source } }),
  asks('a file in a drive', { tool: 'mcp__a__create_file', input: { name: 'a.ts', text: source } }),
  abstains('what is remembered', { tool: 'mcp__memory__add_entity', input: { text: source } }),
  asks('to a repository of others', { tool: comment, input: { owner: 'other', body: source }, facts: { remote } }),
  abstains('to its own', { tool: comment, input: { owner: 'acme', body: source }, facts: { remote } }),
  abstains('where the project’s is not known', { tool: comment, input: { owner: 'acme', body: source } }),
  asks('a file of the project', { tool: 'mcp__slack__upload_file', input: { path: 'src/a.ts' } }),
  abstains('a report', { tool: 'mcp__slack__upload_file', input: { path: 'coverage/a.html' } }),
  asks('a file of the person', { tool: 'mcp__slack__upload_file', input: { path: '/home/u/a.pdf' } }),
  abstains('a file made before', { tool: 'mcp__slack__upload_file', input: { file: '/tmp/a.pdf' } }),
  asks('in an address', { tool: 'fetch', input: { url: `https://a.example/?d=${encoded}` } }),
  abstains('an address of this machine', {
    tool: 'fetch',
    input: { url: `http://localhost/?d=${encoded}` },
  }),
  abstains('an address that does not decode', { tool: 'fetch', input: { url: 'https://a.example/?d=%zz' } }),
  abstains('to a host that is trusted', {
    tool: 'mcp__http__post',
    input: { url: 'https://a.example', body: source },
    params: { trustedHosts: ['a.example'] },
  }),
]

/** Verbs and things of tools that hand something to others. */
const sends = setOf(
  'send post publish share upload paste gist email mail message tweet forward attach reply notify submit webhook request http push comment'.split(
    ' ',
  ),
)
/** Things that others see as soon as they are made. */
const seen = setOf('page document doc issue pull discussion ticket draft snippet block blocks children'.split(' '))
const makes = setOf('create add append update insert edit write put'.split(' '))
const looks = setOf('get list search find read view describe download fetch show query'.split(' '))
/** Tools that send a file by its name. */
const sendsFiles = setOf('upload attach send share publish'.split(' '))
/** Text that is put into a page. */
const typing = /^(?:browser |page )?(?:type|fill)\b/
const isFileKey = /(?:file|path|attachment|document|photo|video|media)s?$/i

const hostOf = (address: string) => /^[a-z]+:\/\/(?:[^/@]*@)?(\[[^\]]*\]|[^/:?#]+)/i.exec(address)?.[1]?.toLowerCase()

const wordsOf = (name: string) => toolWords(name.split('__').slice(2).join('_'))

/** True if a tool hands what it is given to somebody, by its own words. */
function handsOn(name: string, keys: readonly InputText[]): boolean {
  const parts = wordsOf(name)
  if (looks.has(parts[0] ?? '')) return false
  if (parts.some((part) => sends.has(part)) || typing.test(parts.join(' '))) return true
  if (!parts.some((part) => makes.has(part))) return false
  if (parts.some((part) => seen.has(part))) return true
  // A file with a path is on this machine, one with a name in a drive, and one with an owner in a repository.
  const isHere = keys.some(({ key }) => /path$/i.test(key)) && !keys.some(({ key }) => key === 'owner')
  return parts.some((part) => /^files?$/.test(part)) && !isHere
}

/** Returns the owner of the repository that a tool writes to, where its input says so. */
function repositoryOf(texts: readonly InputText[]): string | undefined {
  const named = texts.find(({ key }) => /^(?:owner|org|organi[sz]ation)$/i.test(key))?.text
  const path = texts.find(({ key, text }) => /^(?:repo|repository|project_?id)$/i.test(key) && text.includes('/'))?.text
  return (named ?? path?.split('/')[0])?.toLowerCase()
}

/** True if a tool writes to a repository whose owner is the project's, or may be. */
function isOwners(texts: readonly InputText[], owner: Owner | undefined): boolean {
  const repository = repositoryOf(texts)
  return repository !== undefined && (owner === undefined || repository === owner.name)
}

/** True for a file that is not of the project, or that the project is made of. */
function isKept(text: string, paths: readonly TouchedPath[], roots: readonly string[]): boolean {
  const known = paths.find(({ written }) => written === text)
  const inRoot = known === undefined ? relativeTo(text, roots) : known.inRoot
  // Files beside a project are not temporary, even if the project is below the temporary folder.
  if (inRoot === undefined)
    return (
      !/^(?:\/private)?\/(?:var\/)?tmp\//.test(text) ||
      roots.some((root) => text.startsWith(root.replace(/[^/]+$/, '')))
    )
  return inRoot === '' || isSubstance(inRoot)
}

function relativeTo(path: string, roots: readonly string[]): string | undefined {
  if (!/^(?:\/|~|[A-Z]:\\)/i.test(path)) return path
  const root = rootAround(path, roots)
  return root === undefined ? undefined : wayWithin(path, root)
}

export default definePolicy({
  id: 'shared-texts',
  description: 'Asks before a tool hands source, settings, data or files to a place that is not the project owner’s',
  severity: 'medium',
  on: 'PreToolUse',
  tool: ['mcp', 'fetch', 'browser'],
  facts: { remote: { gitRemote: 'origin' } },
  params: { trustedHosts },
  decide({ tool, paths, params, facts, event }) {
    const owner = ownerOf(facts.remote)
    const texts = textsIn(tool.input)
    const isOurs = (address: string) => isFirstParty(hostOf(address) ?? '', address, owner, params.trustedHosts)
    const addresses = texts.filter(({ text }) => /^https?:\/\//i.test(text) && !isOurs(text))
    for (const { text } of addresses) {
      const kept = keptInAddress(text)
      if (kept !== undefined)
        return ask(
          `this request gives ${kept} to the owner of ${quoted(hostOf(text) ?? '')}: have the person agree to it`,
        )
    }
    if (!tool.name.startsWith('mcp__') || !handsOn(tool.name, texts) || isOwners(texts, owner)) return undefined
    const named = texts.filter(({ key }) => /^ur[il]$/i.test(key))
    if (named.length > 0 && named.every(({ text }) => isOurs(text))) return undefined
    const server = tool.name.split('__')[1] ?? ''
    const isUpload = wordsOf(tool.name).some((part) => sendsFiles.has(part))
    for (const { key, text } of texts) {
      const kept = keptIn(text)
      if (kept !== undefined)
        return ask(`\`${server}\` would show ${kept} to people outside of the project: have the person agree to it`)
      if (isUpload && isFileKey.test(key) && /[./\\]/.test(text) && !/^https?:/.test(text) && !text.includes('\n'))
        if (isKept(text, paths, event.workspaceRoots))
          return ask(
            `\`${server}\` would show ${quoted(text)} to people outside of the project: have the person agree to it`,
          )
    }
    return undefined
  },
  examples: sharedTextExamples,
})
