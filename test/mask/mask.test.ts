import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maskSecrets as maskWithin } from '../../src/mask/mask.ts'
import { plainTexts } from '../fixtures/plain-texts.ts'
import { secretSamples } from '../fixtures/secrets.ts'
import { runsOf } from '../support/sample.ts'

/** Masks whole values, as of a text that is no command. */
const maskSecrets = (text: string) => maskWithin(text, 'value')

/** Five characters of a secret would already help to guess it. */
const partCharacters = 5
const parts = (secret: string) =>
  Array.from({ length: secret.length - partCharacters + 1 }, (_, at) => secret.slice(at, at + partCharacters))

describe('masking', () => {
  it('leaves no part of a secret, and nothing longer than it was', () => {
    const shown = secretSamples.flatMap(({ text, secret }) => {
      const masked = maskSecrets(text)
      const isShown = parts(secret).some((part) => masked.includes(part)) || masked.length > text.length
      return isShown ? [{ text, masked }] : []
    })
    expect(shown).toEqual([])
  })

  it('replaces a token by three stars, and keeps what is around it', () => {
    // A slash is part of base64: such a token takes along what follows it in a URL.
    const isAmbiguous = (text: string, secret: string) =>
      text.includes('://') && /^(?:fm2|sntrys|glc|ops)_/.test(secret)
    const tokens = secretSamples.filter(({ isToken, text, secret }) => isToken && !isAmbiguous(text, secret))
    expect(tokens.length).toBeGreaterThan(400)
    for (const { text, secret } of tokens) expect(maskSecrets(text)).toBe(text.replace(secret, '***'))
  })

  it.each([
    [`mysql -h db -p'two words' shop && ls -p`, `mysql -h db -p'***' shop && ls -p`],
    [
      'docker login -p hunter22 r.example; docker run -p 80:80 x',
      'docker login -p *** r.example; docker run -p 80:80 x',
    ],
    ['curl -u "me:two words" https://a.example -o b', 'curl -u "me:***" https://a.example -o b'],
    ['password: correct horse # of the test\nport: 1', 'password: ***\nport: 1'],
    ['{"password":"a\\"b c","port":1}', '{"password":"***","port":1}'],
    ["f({ token: 'abcd', size: 3 }) // (secret=abcd)", "f({ token: '***', size: 3 }) // (secret=***)"],
    ['https://me:p@ssw0rd@a.example/x?token=abcd&b=c', 'https://me:***@a.example/x?token=***&b=c'],
    ['DB_PASSWORD=\'a;b\'"c" run; next', 'DB_PASSWORD=*** run; next'],
    [String.raw`DB_PASSWORD='it'\''s' run`, 'DB_PASSWORD=*** run'],
    ['export API_TOKEN=abc\\ def other', 'export API_TOKEN=*** other'],
    [
      'echo hunter22 | docker login --password-stdin; echo done | cat',
      'echo *** | docker login --password-stdin; echo done | cat',
    ],
    ['<password>two words</password><a>b</a>', '<password>***</password><a>b</a>'],
    ['token=$TOKEN secret="$(cat a)" password=$TOKEN-abcd', 'token=$TOKEN secret="$(cat a)" password=***'],
  ])('hides what is secret in %s, and nothing else', (text, masked) => {
    expect(maskSecrets(text)).toBe(masked)
  })

  it('leaves everyday texts as they are', () => {
    expect(plainTexts.length).toBeGreaterThan(150)
    expect(plainTexts.filter((text) => maskSecrets(text) !== text)).toEqual([])
  })

  it('of a text that may be a command leaves of a secret only what stands behind a sign of the shell', () => {
    const shown = secretSamples.flatMap(({ text, secret }) => {
      const [masked, first = ''] = [maskWithin(text), secret.split(/[;&|<>()`'"\n]/)[0]]
      return parts(first).some((part) => masked.includes(part)) ? [{ text, masked }] : []
    })
    expect(shown).toEqual([])
  })

  it('of a masked text changes nothing', () => {
    const words = [
      'password',
      'token=',
      'key: ',
      'cookie: ',
      '--password ',
      'Bearer ',
      'mysql -p',
      'curl -u ',
      'echo ',
      ' | a --stdin',
    ]
    const signs = [...` \n"'\`\\/=:;,&|<>(){}[]$@#*.-`.split(''), '://', '\\"', '<<<', '***', '$X', '${X}']
    const values = ['abcd', 'hunter22', 'a1B2c3D4e5F6g7H8', `ghp_${'a1B2'.repeat(9)}`, '-----BEGIN PRIVATE KEY-----']
    const samples = secretSamples.filter(({ isToken }) => !isToken).map(({ text }) => text)
    const piece = fc.oneof(
      ...[words, signs, values, samples].map((some) => fc.constantFrom(...some)),
      fc.string({ maxLength: 4 }),
    )
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(text, (one) => {
        for (const reach of ['value', 'part', 'word'] as const) {
          const masked = maskWithin(one, reach)
          expect(maskWithin(masked, reach)).toBe(masked)
          expect(masked.length).toBeLessThanOrEqual(one.length)
        }
      }),
      { numRuns: runsOf(3000), seed: 1 },
    )
  })
})

describe('masking takes time in proportion to the text', () => {
  const units = [
    'a',
    'a.',
    '9a',
    'M',
    'a-',
    'ghp_',
    'sk-',
    'eyJ',
    'eyJ-',
    '_eyJ',
    'eyJaaaaaaaa.',
    '1:AA',
    'aQ~',
    '.atlasv1.',
    'dp.st.a.',
    '-----BEGIN ',
    '-----BEGIN PRIVATE KEY-----',
    'Private-Lines: 4\n',
    'password',
    'password=',
    'password="',
    'password=\\"',
    'password=\\',
    'password=a,',
    'password=a&',
    'password=$(',
    'password=${',
    'password=<',
    '\npassword: a b',
    'key=',
    'key=a',
    '--token ',
    '--a',
    'config set a',
    '<password',
    '<password>',
    'cookie: a',
    'bearer ',
    '://',
    '://a:',
    '://a@',
    'echo ',
    'echo "',
    'echo \\"',
    'echo abcd | vault ',
    "<'echo \n",
    'mysql ',
    "mysql '",
    'curl -u a;',
    'curl -u a',
    'htpasswd -b a ',
    'login a password ',
    '--a <<<',
    '\\',
    '"',
    '\\"',
    '&',
    'a=',
    '\n',
    ' ',
  ]
  // Half a megabyte of what starts anew inside of itself takes minutes.
  const characters = 512 * 1024

  it.each(['', 'password="', 'mysql ', 'token=', 'a | stdin\n'])('behind %j', (head) => {
    for (const unit of units) {
      const startMs = performance.now()
      maskSecrets(`${head}${unit.repeat(characters / unit.length)}`)
      maskWithin(`${head}${unit.repeat(characters / unit.length)}`, 'word')
      expect({ unit, isSlow: performance.now() - startMs > 5000 }).toEqual({ unit, isSlow: false })
    }
  })

  it.each(['', 'eyJ', 'ghp_', 'glc_', 'sl.', 'password=', 'password: a ', '<password>'])(
    'and no stack for each character: the largest event behind %j',
    (head) => {
      expect(() => maskSecrets(head + 'aA1'.repeat(5_500_000))).not.toThrow()
    },
  )
})
