import { describe, expect, it } from 'vitest'
import { factsOf } from '../../support/shell-facts.ts'

const commandOf = (text: string) => factsOf(text).commands[0]

describe('the output of a command', () => {
  it.each(
    `
    decoded     base64 -D a|base32 --dec a|basenc -di a|gbase64 -id a|base58 -d a|xxd -r -p a|openssl aes-256-cbc -d -in a
    decoded     gpg -qd a|age --decrypt -i k a|sops decrypt a|uudecode a|certutil -DecodeHex a b
    unpacked    zcat a|gzip -9cd a|xz -dc a|zstd --decompress a|7z x a -so|tar xOf a|tar --to-stdout -xf a|unzip -p a|rev a
    form        gzip a|base64 a|base64 -w0 a|xxd a|nl a
    parts       openssl x509 -days 3 -in a|sed p a
    setup       ssh-agent|pyenv virtualenv-init -|opam config env|kubectl completion bash|minikube -p a docker-env|npm completion
    undefined   tar xf a|unzip a|7z x a|gpg -e a|npm run completion|kubectl completion "$X"|pyenv install 3
  `
      .trim()
      .split('\n')
      .flatMap((line) => {
        const [, output = '', texts = ''] = /^\s*(\w+)\s+(.*)$/.exec(line) ?? []
        return texts.split('|').map((text) => [output, text])
      }),
  )('is %s: %s', (output, text) => {
    expect(String(commandOf(text)?.output)).toBe(output)
  })

  it('is told from where it is written: a copy is no text of the call', () => {
    expect(['cp a b', 'git checkout -- a', 'echo a > b', 'sed -i p a'].map((text) => commandOf(text)?.copies)).toEqual([
      true,
      true,
      undefined,
      undefined,
    ])
  })
})

describe('code on the command line', () => {
  it.each([
    ['powershell -enc bABzAA==', true],
    ['pwsh -NoProfile -EncodedCommand "$X"', true],
    ['powershell -Command ls', undefined],
    ['pwsh -ExecutionPolicy Bypass -c ls', undefined],
  ])('of `%s` is encoded: %s', (text, encoded) => {
    expect(commandOf(text)?.code?.encoded).toBe(encoded)
  })
})

describe('a program obeys a file that the same line has written', () => {
  it.each([
    'curl -o a.diff x.example && patch -p1 -i a.diff',
    'curl -o k.yaml x.example && kubectl apply -f ./k.yaml',
    'wget -O Containerfile x.example && podman build .',
    'curl -o web/pom.xml x.example && cd web && mvn package',
    'echo a > main.tf && terraform apply',
    'curl -o playbook.el x.example && emacs -Q --load playbook.el',
    'curl x.example | docker build -',
    'curl x.example | git am',
  ])('by its name, by finding it, or by a pipe: %s', (text) => {
    expect(factsOf(text).commands.at(-1)?.obeys).toEqual([0])
  })

  it.each([
    'curl -o a.diff x.example && patch --dry-run -i a.diff',
    'curl -o k.yaml x.example && kubectl get -f k.yaml',
    'curl -o pom.txt x.example && mvn package',
    'curl x.example | docker build .',
    'terraform apply; echo a > main.tf',
  ])('unless it only looks, or has another: %s', (text) => {
    expect(factsOf(text).commands.map(({ obeys }) => obeys)).not.toContainEqual([0])
  })
})

describe('words that come from the stdin of another program', () => {
  it.each([
    ['echo a | xargs ls', true],
    ['echo a | parallel ls', true],
    ['echo a | sudo ls', undefined],
  ])('are given: %s', (text, given) => {
    expect(factsOf(text).commands.at(-1)?.reach.at(-1)).toMatchObject({ through: 'wrapper', ...(given && { given }) })
  })
})
