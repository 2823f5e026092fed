import fc from 'fast-check'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { shellFacts } from '../../src/facts/shell/shell-facts.ts'
import { maskText } from '../../src/gate/shown-text.ts'
import { createGate, type DecisionRecord } from '../../src/library/index.ts'
import { maskSecrets } from '../../src/mask/mask.ts'
import type { ShellFacts } from '../../src/model/shell.ts'
import { runsOf } from '../support/sample.ts'
import { claudeShell } from '../support/wire.ts'
import { folderWith } from '../support/workspace.ts'

// An agent that has a command masked, so that nobody sees it: in the record, and before a person approves it.

const around = { cwd: '/home/me/site', home: '/home/me', workspaceRoots: ['/home/me/site'], env: {} }
const shellOf = (text: string): ShellFacts => shellFacts(text, around)
const masked = (text: string) => maskText(text, async (one) => shellOf(one))

const isSecret = (name: string) => /\*\*\*|a1B2a1B2|MIIEv|MzEfYy|hunter22/.test(name)

/** The programs that would run, how each is reached, and the number of words that it gets. */
const commandsOf = (text: string) =>
  shellOf(text).commands.map(({ program, written, args, reach, redirections }) => [
    // A token, a line of a key and the password in a URL are masked wherever they stand, as the name of a program too.
    isSecret(written?.value ?? program) ? '***' : program,
    args.length,
    reach.map(({ through }) => through).join(),
    redirections.map(({ operator }) => operator).join(),
  ])

const keyLine = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj'
const key = `-----BEGIN PRIVATE KEY-----\n${keyLine}\n${keyLine}\nMzEfYyjiWA4R4\n-----END PRIVATE KEY-----`
const token = `ghp_${'a1B2'.repeat(9)}`

describe('what would run is seen, wherever a mask begins', () => {
  it.each([
    ['behind the beginning of a key', `deploy staging; : '-----BEGIN PRIVATE KEY-----'; deploy production --wipe`],
    ['between both ends of a key', `: -----BEGIN PRIVATE KEY-----\nreboot\n: -----END PRIVATE KEY-----`],
    ['as the last line of a key', `: -----BEGIN PRIVATE KEY-----\n${keyLine}\nreboot\n: -----END PRIVATE KEY-----`],
    [
      'in a key of OpenSSH',
      `: -----BEGIN OPENSSH PRIVATE KEY----- && /usr/bin/reboot\n: -----END OPENSSH PRIVATE KEY-----`,
    ],
    ['in a key of PGP', `: '-----BEGIN PGP PRIVATE KEY BLOCK-----' | sh deploy.sh`],
    ['in a key of PuTTY', `: 'Private-Lines: 4\n'; deploy production; : Private-MAC: 00`],
    ['in a key of PuTTY that has no end', `: 'Private-Lines: 1 x'; deploy production`],
    ['between two quotes that look like one value', `: 'password='; deploy production; : ''`],
    ['between two double quotes', `: "token="; deploy production; : ""`],
    ['between a quote and one of another kind', `: 'secret="'; deploy production; : '"'`],
    ['in a URL before its host', `curl 'http://a:'; deploy production; : x@b.example`],
    ['in a URL without blanks', `curl http://a:b;deploy>out;curl x@b.example`],
    ['in backticks of an option', 'run --token=a`deploy production`b'],
    ['in a substitution of an option', 'run --token=ab$(deploy production)cd'],
    ['in a substitution that is quoted', 'run --token="ab$(deploy production)cd"'],
    ['in a substitution of a process', 'run --password=abcd<(deploy production)'],
    ['in a default of a variable', 'API_KEY=abcd${X:-`deploy production`} run'],
    ['on the next line of a program’s secret', 'htpasswd -nb me\ndeploy production'],
    ['on the next line of a field', 'token: |\n  deploy production'],
    ['behind a header of cookies', `echo "Cookie: a=b"; deploy production`],
    ['behind a field of a line', 'password: two words; deploy production'],
    ['behind a user of curl', `curl -u "me:"; deploy production; : ""`],
    ['behind a password of MySQL', `mysql -p''; deploy production; : ''`],
    ['behind a secret of kubectl', `kubectl create secret generic a --from-literal='b=''';deploy production;: ''`],
    ['in the script of a shell', `sh -c ": 'password='; deploy production; : ''"`],
    ['in a script behind an assignment', `bash -c PASSWORD='abcd deploy production'`],
    ['in what is evaluated', `eval "secret='a"; deploy production; eval "b'"`],
    ['in code of another language', `python3 -c "import os; token='abcd'; os.system('deploy production'); x=''"`],
    ['in a here-document for a shell', `sh <<E\npassword='\ndeploy production\n'\nE`],
    ['in an element', `echo '<password>'; deploy production; : '</password>'`],
    ['behind a here-string', `chpasswd <<< abcd;deploy production`],
    ['in JSON', `echo '{"password":"'; deploy production; : '"}'`],
    ['escaped', `echo \\"password\\":\\"; deploy production; : \\"`],
    [
      'behind a removal that a mask makes one of several files',
      `cat > f <<E\nrm TOKEN=${token} > out; deploy production; bash -c "rm $0" a\nE\ndeploy staging`,
    ],
  ])('%s', async (_, text) => {
    expect(commandsOf(await masked(text))).toEqual(commandsOf(text))
    expect(commandsOf(maskSecrets(text, 'word'))).toEqual(commandsOf(text))
    expect(await masked(text)).toMatch(/deploy(?: production|\.sh)?|reboot/)
  })

  const programs = [
    'deploy',
    'reboot',
    'rm',
    'kubectl get',
    './wipe.sh',
    'git push',
    'sudo rm',
    'env X=1 deploy',
    'eval rm',
    'bash -c "rm $0" a',
  ]
  const words = ['production', '--wipe', '-rf', '~/Documents', '"two words"', "'it is'", '$HOME', 'x=1', '""']
  const openings = [
    `'-----BEGIN PRIVATE KEY-----'`,
    '-----BEGIN RSA PRIVATE KEY-----',
    '"-----END PRIVATE KEY-----"',
    `'${key}'`,
    `"${key}"`,
    'Private-Lines: 2',
    'Private-MAC: 0a',
    token,
    `TOKEN=${token}`,
    `'{"password":"two words","port":1}'`,
    `--header 'Authorization: Bearer abcdefgh12345678'`,
    `-H "Cookie: a=b1; sid=c2"`,
    '--password hunter22',
    `--password='a;b c'`,
    '--token=ab`date`cd',
    '--token="ab$(date)cd"',
    'https://me:p;a@b.example/',
    'https://me:hunter22@b.example/',
    `-p'two words'`,
    `PASSWORD="two words"`,
    `'password='`,
    `"secret="`,
    `'token: '`,
    'password:',
    'curl -u me:hunter22',
    'mysql -phunter22',
    'echo hunter22 | docker login --password-stdin',
    `<<< 'hunter22'`,
  ]
  const operators = ['; ', ' && ', ' | ', ' || ', '\n', ' & ', ' > out; ']
  const piece = fc.oneof(fc.constantFrom(...openings), fc.constantFrom(...words), fc.constantFrom(...openings))
  const simple = fc
    .tuple(fc.constantFrom(...programs), fc.array(piece, { maxLength: 4 }))
    .map((all) => all.flat().join(' '))
  const line = fc
    .array(fc.tuple(simple, fc.constantFrom(...operators)), { minLength: 1, maxLength: 4 })
    .map((all) => all.flat().join(''))
  const wrapped = line.chain((text) =>
    fc.constantFrom(
      text,
      `cat > f <<E\n${text}\nE\ndeploy`,
      `sh <<'E'\n${text}\nE`,
      `( ${text}\n)`,
      `echo "$(${text}\n)"`,
      `bash -c '${text.replaceAll("'", String.raw`'\''`)}'`,
      `if true; then ${text}\nfi`,
    ),
  )

  it('a masked command has the same commands as the command, wherever there are secrets in it', async () => {
    await fc.assert(
      fc.asyncProperty(wrapped, async (text) => {
        // Equal commands that run again are listed once, and so in another order.
        expect(
          commandsOf(await masked(text))
            .map(String)
            .toSorted(),
        ).toEqual(commandsOf(text).map(String).toSorted())
      }),
      { numRuns: runsOf(1200) },
    )
  })
})

describe('the record', () => {
  it('has every command of a call, and none of its secrets', async () => {
    const home = folderWith({ 'project/x': '' })
    const records: DecisionRecord[] = []
    const gate = createGate({ home, env: { HOME: home }, record: false, onRecord: (one) => records.push(one) })
    onTestFinished(() => gate.close())
    const lines = [
      `deploy staging; : '-----BEGIN PRIVATE KEY-----'; deploy production --wipe`,
      `BORG_PASSPHRASE='two words' borg list`,
      `curl -H 'Cookie: a=MIIEv; b=MzEfYy' https://a.example`,
    ]
    for (const command of lines) {
      // oxlint-disable-next-line no-await-in-loop -- one call after the other
      await gate.answer(claudeShell(command, join(home, 'project')), { agent: 'claude-code' })
    }
    expect(records.map(({ subject }) => subject)).toEqual([
      lines[0],
      `BORG_PASSPHRASE='***' borg list`,
      `curl -H 'Cookie: ***' https://a.example`,
    ])
  })
})

describe('a secret stays hidden', () => {
  it.each([
    ['a key in a here-document', `cat > key.pem <<E\n${key}\nE\nssh -i key.pem a`],
    ['a key in quotes', `echo '${key}' > key.pem`],
    ['a key in JSON', `echo '${JSON.stringify({ key })}' > a.json`],
    ['several words in quotes', `BORG_PASSPHRASE='MIIEv two MzEfYy' borg list`],
    ['signs in quotes', `mysql -p'MIIEv;two&MzEfYy' shop`],
    ['cookies', `curl -H 'Cookie: a=MIIEv; b=MzEfYy' https://a.example`],
  ])('%s, with all of its lines and words', async (_, text) => {
    const shown = await masked(text)
    expect(shown).toContain('***')
    expect(shown).not.toMatch(/MIIEv|MzEfYy/)
  })

  it('a key of which nothing can be compared, as in a text that is too long', () => {
    expect(maskSecrets(`: ${key}`, 'word')).toBe(
      ': -----BEGIN PRIVATE KEY-----\n***\n***\n***\n-----END PRIVATE KEY-----',
    )
  })
})
