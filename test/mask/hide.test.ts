import { createHash, randomBytes } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hiddenValuesMax, hideSecrets, outputCharactersMax, type OutputSource } from '../../src/mask/hide.ts'
import type { Json } from '../../src/model/json.ts'

const plain: OutputSource = { showsSecrets: false, values: [] }
const secret: OutputSource = { showsSecrets: true, values: [] }
const hide = (output: Json, source = plain) => hideSecrets(output, source)?.output ?? output
const token = 'ghp_Ab3dE5gH7jK9mN1pQ3sT5vW7yZ9aB1cD3eF5'
const random = 'Vq7rT2mK9xW4zBn6'
const hex = (bytes: number) =>
  createHash('sha512')
    .update(`${bytes}`)
    .digest('hex')
    .slice(0, bytes * 2)

/** Everyday outputs, none of which may be changed. */
const everyday: readonly (readonly [title: string, output: Json])[] = [
  [
    'a log of commits',
    `commit ${hex(20)}\nAuthor: A <a@b.example>\n\n    Mend the token reader\n\n${hex(3)} Add auth\n`,
  ],
  ['checksums', `${hex(32)}  dist/a.tgz\n${hex(16)}  b\nsha512-${Buffer.from(hex(32)).toString('base64')}`],
  [
    'a lock file',
    JSON.stringify({
      'node_modules/a': {
        version: '1.2.3',
        resolved: 'https://registry.npmjs.org/a/-/a-1.2.3.tgz',
        integrity: `sha512-${Buffer.from(hex(32)).toString('base64')}`,
      },
    }),
  ],
  [
    'a lock file of pnpm',
    `  /@types/node@24.1.0:\n    resolution: {integrity: sha512-${Buffer.from(hex(32)).toString('base64')}}\n`,
  ],
  ['a lock file of Cargo', `[[package]]\nname = "serde"\nchecksum = "${hex(32)}"\n`],
  ['go.sum', `golang.org/x/sys v0.1.0 h1:${Buffer.from(hex(16)).toString('base64')}=\n`],
  ['ids', `request 550e8400-e29b-41d4-a716-446655440000 in 12ms, trace ${hex(16)}, span ${hex(8)}`],
  [
    'the ids of containers',
    `CONTAINER ID   IMAGE\n${hex(6)}   postgres:17   "docker-entrypoint.s…"\nsha256:${hex(32)}`,
  ],
  [
    'an image',
    { content: [{ type: 'image', mimeType: 'image/png', data: `iVBO/EAAA${randomBytes(2000).toString('base64')}` }] },
  ],
  [
    'an image in a page',
    `<img src="data:image/png;base64,iVBORw0KGgo/EAAAAB3Zx9Kq7Lm2Np4Rs6Tv${randomBytes(900).toString('base64')}">`,
  ],
  ['code that reads a token', "const token = process.env.GITHUB_TOKEN ?? ''\nif (password === undefined) return\n"],
  ['types', 'interface Login { readonly password: string; token?: string | null; apiKey: SecretString }'],
  ['a schema', 'create table users (id uuid, password varchar(255) not null, api_key text, secret_token char(64));'],
  [
    'a test with a made-up password',
    "login({ user: 'a', password: 'hunter2', token: 'abc' })\nexpect(token).toBe('secret-token')",
  ],
  [
    'an example of AWS',
    'AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE\naws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  ],
  [
    'examples of tokens',
    'export GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\nOPENAI_API_KEY=sk-your-key-here\nkey: sk-1234567890abcdef1234567890abcdef',
  ],
  [
    'the example of JSON web tokens',
    'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c',
  ],
  [
    '.env.example',
    'DATABASE_URL=postgres://postgres:postgres@localhost:5432/app\nSECRET_KEY_BASE=changeme\nPORT=3000\n',
  ],
  [
    'pages of a list',
    {
      nextPageToken: 'CAUQAA7xK9mQ2rT4vW6y',
      next_page_token: 'Q2FuVGhpc0JlUmVhZDEy',
      continuationToken: 'zX9yW8vU7tS6rQ5p',
    },
  ],
  [
    'the next page in a text',
    '{"items":[],"nextPageToken":"EAAaBlBUOkNBVQ7xK9mQ2rT4","syncToken":"CPDAlvWDx70CEPDAlvWDx70C"}',
  ],
  [
    'a session of a browser',
    { sessionId: hex(16), key: 'Vq7rT2mK9xW4zBn6', code: 'ERR_MODULE_NOT_FOUND', cursor: 'b2Zmc2V0OjEw' },
  ],
  ['keys of a cache', 'cache-key: node-Linux-8f3a9c1b2d4e5f60718293a4b5c6d7e8\nrestore-keys: node-Linux-'],
  ['a React list', '<li key="a1B2c3D4e5F6g7H8i9">x</li>'],
  [
    'the help of a program',
    '  --token TOKEN        the token to log in with\n  --password PASSWORD  (default: none)\n  -p, --api-key KEY',
  ],
  [
    'an error about a token',
    'Error: token is not valid: unexpected token < in JSON at position 0\n  at parse (/a/token.js:12:34)',
  ],
  ['counts of tokens', '{"input_tokens":1234,"max_tokens":4096,"token_type":"bearer","tokens":{"total":99}}'],
  ['a public key', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIK7xK9mQ2rT4vW6yZ8aB0cD2eF4gH6iJ8kL0mN2oP4q a@b'],
  [
    'a certificate',
    `-----BEGIN CERTIFICATE-----\n${Buffer.from(hex(48)).toString('base64')}\n-----END CERTIFICATE-----`,
  ],
  [
    'secrets of Kubernetes by name',
    'secretName: app-tls-8x7k2\nsecretKeyRef:\n  name: db-credentials\n  key: password\n',
  ],
  ['a workflow', 'env:\n  TOKEN: ${{ secrets.GITHUB_TOKEN }}\n  PASSWORD: $DB_PASSWORD\n  KEY: <your-key>\n'],
  ['a test run', ' ✓ test/auth/token.test.ts (12 tests) 345ms\n ❯ test/password.test.ts > hashes\n  $2b$10$'],
  ['numbers and switches', [1, true, null, { exitCode: 0, interrupted: false }]],
  ['names of files', ['src/auth/password.ts', 'secrets/README.md', 'token-3f2a91bc.json']],
  ['a mask', 'DB_PASSWORD=[hidden by hookgate: value of DB_PASSWORD; use $DB_PASSWORD]'],
  [
    'code about keys',
    `_START = b"-----BEGIN OPENSSH PRIVATE KEY-----"\n_END = b"-----END OPENSSH PRIVATE KEY-----"\n${'x = f(1)\n'.repeat(50)}`,
  ],
  [
    'code that encodes a password',
    'proxy_auth = base64.b64encode(proxy_passwd.encode()).decode("ascii")\nOID_CLIENT_AUTH = ExtendedKeyUsageOID.CLIENT_AUTH2x',
  ],
  ['a masked log', 'token: ***\nAuthorization: Bearer [redacted]\npassword=<hidden>'],
]

describe('an everyday output', () => {
  it.each(everyday)('is not changed: %s', (_, output) => {
    expect(hideSecrets(output, plain)).toBeUndefined()
  })

  it('is not changed where it is a file of this project', () => {
    const root = join(import.meta.dirname, '../..')
    const files = execFileSync('git', ['ls-files', 'src', 'docs', 'build', '*.json', '*.md'], {
      cwd: root,
      encoding: 'utf8',
    })
    const changed = files
      .trim()
      .split('\n')
      .filter((file) => hideSecrets(readFileSync(join(root, file), 'utf8'), plain) !== undefined)
    // It shows what a secret is.
    expect(changed).toEqual(['docs/state.md'])
  })

  it('is not changed where it is a file of another package', () => {
    const root = join(import.meta.dirname, '../../node_modules')
    const texts = readdirSync(root)
      .filter((name) => /^[a-z]/.test(name))
      .flatMap((name) => ['package.json', 'README.md', 'LICENSE', 'index.js'].map((file) => join(root, name, file)))
    const changed = texts.filter((file) => {
      try {
        return hideSecrets(readFileSync(file, 'utf8'), plain) !== undefined
      } catch {
        return false
      }
    })
    expect(texts.length).toBeGreaterThan(100)
    expect(changed).toEqual([])
  })
})

describe('a secret in an output', () => {
  it.each<[output: Json, want: Json, source?: OutputSource]>([
    [`a ${token} b`, 'a [hidden by hookgate: GitHub token] b'],
    [
      { stdout: '', stderr: `x ${token}` },
      { stdout: '', stderr: 'x [hidden by hookgate: GitHub token]' },
    ],
    [[{ type: 'text', text: `"${token}"` }], [{ type: 'text', text: '"[hidden by hookgate: GitHub token]"' }]],
    [{ password: random }, { password: '[hidden by hookgate: value of password]' }],
    [
      { structuredContent: { api_key: random } },
      { structuredContent: { api_key: '[hidden by hookgate: value of api_key]' } },
    ],
    [`{"client_secret":"${random}"}`, '{"client_secret":"[hidden by hookgate: value of client_secret]"}'],
    [
      `curl -H "Authorization: Bearer ${random}"`,
      'curl -H "Authorization: Bearer [hidden by hookgate: value of Authorization]"',
    ],
    [`postgres://app:${random}@db/x`, 'postgres://app:[hidden by hookgate: password of an address]@db/x'],
    [`STRIPE_LIVE_KEY=${random}`, 'STRIPE_LIVE_KEY=[hidden by hookgate: value of STRIPE_LIVE_KEY]'],
    [{ [token]: 1 }, { '[hidden by hookgate: GitHub token]': 1 }],
    ['PASSWORD=hunter2', 'PASSWORD=[hidden by hookgate: value of PASSWORD]', secret],
    ['PASSWORD=hunter2', 'PASSWORD=hunter2'],
    [token, '[hidden by hookgate: GitHub token; use $(gh auth token)]', { ...secret, command: 'gh auth token' }],
    [`TOKEN=${random}`, 'TOKEN=[hidden by hookgate: value of TOKEN; use $TOKEN]', { ...secret, listsVariables: true }],
    [
      `key: ${token}`,
      'key: [hidden by hookgate: GitHub token; have a command read it from a/b.yaml]',
      { ...plain, file: 'a/b.yaml' },
    ],
    [`key: ${token}`, 'key: [hidden by hookgate: GitHub token]', { ...plain, file: 'a"b]' }],
    [
      `got ${random}!`,
      'got [hidden by hookgate: secret; load .env and use $DB_PASS]!',
      { ...secret, values: [{ name: 'DB_PASS', value: random, file: '.env' }] },
    ],
  ])('is hidden: %j', (output, want, source) => {
    expect(hide(output, source)).toEqual(want)
  })

  it('is hidden with all lines of a private key', () => {
    const lines = Array.from({ length: 6 }, (_, at) => createHash('sha384').update(`${at}`).digest('base64'))
    const key = ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----'].join('\n')
    expect(hide(`a\n${key}\nb`)).toBe('a\n[hidden by hookgate: private key]\nb')
    expect(hide(JSON.stringify({ key }))).toBe('{"key":"[hidden by hookgate: private key]"}')
    expect(hide(`x ${key.slice(0, -60)}`)).toBe('x [hidden by hookgate: private key]')
  })

  it('is hidden the second time as well, and nothing of it is left', () => {
    const shown = JSON.stringify(hide({ a: `${token} ${token}`, b: [`x=${token}`, { c: token }] }))
    expect(shown).not.toContain(token.slice(4, 16))
    expect(shown.match(/GitHub token/g)).toHaveLength(4)
  })

  it('is not hidden again in what was hidden', () => {
    const once = hide({ stdout: `API_TOKEN=${random}\n${token}` }, secret)
    expect(hideSecrets(once, secret)).toBeUndefined()
  })
})

describe('an output that is too much', () => {
  it('is cut behind what is looked through, and says how to get the rest', () => {
    const long = 'word '.repeat(outputCharactersMax / 5)
    const shown = JSON.stringify(hide(`${long}${token}`))
    expect(shown.length).toBeLessThan(outputCharactersMax + 300)
    expect(shown).toContain('40 more characters')
    expect(shown).not.toContain(token)
  })

  it('is hidden as a whole if it has more secrets than are looked for', () => {
    const many = Array.from({ length: hiddenValuesMax + 1 }, (_, at) => `${token}${at}`).join('\n')
    expect(hide(many)).toBe('[hidden by hookgate: a text with more than 200 secrets]')
  })
})
