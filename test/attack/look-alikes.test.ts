import { domainToASCII, domainToUnicode } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { plainReading, shownHost } from '../../src/words/plain-reading.ts'
import { openPresetGate } from '../support/shipped-gate.ts'

// Hosts and files whose names look like known ones and are not: letters of other scripts, other forms of a letter,
// invisible characters, and hosts as DNS has them (`xn--…`).

const gate = openPresetGate('/home/u', 'recommended')
afterAll(() => gate.close())

const stopsOf = async (command: string) => {
  const { denied, asked } = await gate.judge(command)
  return [...denied, ...asked]
}

/** Ways to write a name otherwise so that it looks the same, as far as it has a letter for it. */
const disguises: readonly (readonly [name: string, disguise: (name: string) => string])[] = [
  ['a Cyrillic letter', (name) => name.replace(/[aeiopcsx]/, (one) => 'аеіорсѕх'.charAt('aeiopcsx'.indexOf(one)))],
  ['a Greek letter', (name) => name.replace(/[ovapk]/, (one) => 'ονapκ'.charAt('ovapk'.indexOf(one)))],
  ['a wide letter', (name) => name.replace(/[a-z]/, (one) => String.fromCodePoint(one.charCodeAt(0) + 0xfe_e0))],
  [
    'a mathematical letter',
    (name) => name.replace(/[a-z]/, (one) => String.fromCodePoint(one.charCodeAt(0) + 0x1_d3_b9)),
  ],
  ['an invisible character', (name) => `${name.slice(0, 2)}\u200B${name.slice(2)}`],
  ['a joiner', (name) => `${name.slice(0, 2)}\u200D${name.slice(2)}`],
  ['a soft hyphen', (name) => `${name.slice(0, 3)}\u00AD${name.slice(3)}`],
  ['a letter without its dot', (name) => name.replace('i', 'ı')],
]
const disguised = (names: readonly string[]) =>
  disguises.flatMap(([how, disguise]) =>
    names.flatMap((name) => (disguise(name) === name ? [] : [[how, name, disguise(name)] as const])),
  )

describe('a host that looks like another', () => {
  const hosts = [
    'github.com',
    'registry.npmjs.org',
    'pypi.org',
    'api.openai.com',
    'accounts.google.com',
    'shop.example',
  ]

  it.each(disguised(hosts))('is asked about, with %s for %s: %s', async (_, host, other) => {
    expect(await stopsOf(`curl -s https://${other}/a`)).toContain('disguised-hosts')
    expect(await stopsOf(`git clone git@${other}:a/b.git`)).toContain('disguised-hosts')
    // What DNS makes of it is another host, unless it is the same.
    const encoded = domainToASCII(other)
    if (encoded !== '' && encoded !== host)
      expect(await stopsOf(`wget https://${encoded}/a`)).toContain('disguised-hosts')
    const { asked } = await gate.judgeTool('WebFetch', { url: `https://${other}/a`, prompt: 'a' })
    expect(asked).toContain('disguised-hosts')
    expect((await gate.judgeTool('mcp__web__open', { url: `https://${other}/a` })).asked).toContain('disguised-hosts')
  })

  it.each(['münchen.de', 'bücher.example', '日本語.jp', 'почта.рф', 'παράδειγμα.δοκιμή', 'faß.de', 'café.example'])(
    'is no host of another language, as it is written or encoded: %s',
    async (host) => {
      const encoded = domainToASCII(host)
      expect(shownHost(encoded)).toBe(domainToUnicode(encoded))
      expect(await stopsOf(`curl -s https://${host}/a`)).toEqual([])
      expect(await stopsOf(`curl -s https://${encoded}/a`)).toEqual([])
    },
  )

  it.each([
    'echo "https://gіthub.com"',
    'git commit -m "not gіthub.com, see https://gіthub.com"',
    'grep -rn gіthub.com docs',
    'cat сор.txt',
  ])('is nothing that a text has: %s', async (command) => {
    expect(await stopsOf(command)).toEqual([])
  })

  it.each(['xn--', 'xn---', 'xn--a!', `xn--${'a'.repeat(70)}`, 'xn--99999999', 'xn--\u200B'])(
    'is none where %j cannot be decoded',
    async (label) => {
      expect(shownHost(`${label}.com`)).toBe(`${label}.com`)
    },
  )
})

describe('a file whose name looks like another', () => {
  // What each of these commands comes to is what it comes to with the plain name.
  const files = [
    '~/.ssh/id_rsa',
    '~/.aws/credentials',
    '~/.kube/config',
    '/etc/shadow',
    '.env',
    '~/.gnupg/secring.gpg',
  ] as const
  const commands = (file: string) => [`cat ${file}`, `echo x > ${file}`, `rm -f ${file}`, `cp ${file} /tmp/a`]

  it.each(disguised(files.map((file) => file.replace(/^~?\//, ''))))(
    'is judged as that, with %s in %s: %s',
    async (_, name, other) => {
      const file = files.find((one) => one.endsWith(name)) ?? ''
      const lead = file.slice(0, file.length - name.length)
      for (const [at, command] of commands(lead + other).entries()) {
        // oxlint-disable-next-line no-await-in-loop -- one gate
        const [found, plain] = [await stopsOf(command), await stopsOf(commands(file)[at] ?? '')]
        expect([command, found]).toEqual([command, plain])
      }
    },
  )

  it('is judged as that by an agent’s own tools', async () => {
    expect((await gate.judgeTool('Read', { file_path: '/home/u/.ѕsh/id_rsa' })).denied).toContain('credential-files')
    expect((await gate.judgeTool('Grep', { path: '/home/u/.ѕsh', pattern: '.' })).denied).not.toEqual([])
    expect((await gate.judgeTool('Write', { file_path: '/home/u/proj/.gіt/hooks/a', content: 'x' })).denied).toContain(
      'git-folder',
    )
    const input = { file_path: '/home/u/.ѕsh/config', old_string: 'a', new_string: 'b' }
    const { denied, asked } = await gate.judgeTool('Edit', input)
    expect([...denied, ...asked]).not.toEqual([])
    expect((await gate.judgeTool('mcp__fs__read_file', { path: '/home/u/.ѕsh/id_rsa' })).denied).not.toEqual([])
  })

  it.each([
    'cat docs/русский.md',
    'cat src/café.ts',
    'cat docs/re\u0301sume\u0301.md',
    'ls 文档',
    'cat сор.txt',
    'rm -f build/yazılım.txt',
    'cp src/отчёт.md docs/',
  ])('is none where the letters are those of a language: %s', async (command) => {
    expect(await stopsOf(command)).toEqual([])
  })

  it('is in its workspace, whatever letters the folders above have', async () => {
    const { asked, denied } = await gate.judge('rm -rf build/yazılım', '/home/u/Сode/yazılım')
    expect([...asked, ...denied]).toEqual([])
  })
})

describe('the text that another is taken for', () => {
  it.each(['', 'plain', 'a.b-c_d/e', '~/.ssh'])('is none of ASCII: %j', (text) => {
    expect(plainReading(text)).toBeUndefined()
  })
})
