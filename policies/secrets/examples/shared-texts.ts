import { abstains, asks } from 'hookgate/policy'

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
const tool = 'mcp__github__add_issue_comment'

export const sharedTextExamples = [
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
  asks('to a repository of others', { tool, input: { owner: 'other', body: source }, facts: { remote } }),
  abstains('to its own', { tool, input: { owner: 'acme', body: source }, facts: { remote } }),
  abstains('where the project’s is not known', { tool, input: { owner: 'acme', body: source } }),
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
