import { describe, expect, it } from 'vitest'
import type { ShellNetwork } from '../../../src/model/shell-network.ts'
import { effectsOfText } from './described.ts'
import { factsOf } from '../../support/shell-facts.ts'

type Case = readonly [command: string, direction?: ShellNetwork['direction'], host?: string]

const table: Readonly<Record<string, readonly Case[]>> = {
  'what receives': [
    ['curl https://U@x.Y:8080/f?q', 'receive', 'x.y'],
    ['curl x.y', 'receive', 'x.y'],
    ['curl -H --help x.y', 'receive', 'x.y'],
    ['curl $URL', 'receive'],
    ['curl https://$HOST/f', 'receive'],
    ['curl --help'],
    ['curl -V'],
    ['curl file:///etc/passwd'],
    ['curl -sL --url file:///tmp/a'],
    ['wget -qO- x.y', 'receive', 'x.y'],
    ['wget --version'],
    ['git clone https://x.y/a', 'receive', 'x.y'],
    ['git clone git@x.y:a/b', 'receive', 'x.y'],
    ['git clone ../a'],
    ['git fetch', 'receive'],
    ['git status'],
    ['scp h.x:/a .', 'receive', 'h.x'],
    ['aws s3 cp s3://b/c -', 'receive', 'amazonaws.com'],
  ],
  'what sends': [
    ['curl -d a=b x.y', 'both', 'x.y'],
    ['curl -F a=b x.y', 'both', 'x.y'],
    ['curl -T f x.y', 'both', 'x.y'],
    ['curl --json @f x.y', 'both', 'x.y'],
    ['wget --post-data=a x.y', 'both', 'x.y'],
    ['git push', 'send'],
    ['git push https://x.y/a main', 'send', 'x.y'],
    ['git push ../mirror'],
    ['scp a u@h.x:/b', 'send', 'h.x'],
    ['scp a b'],
    ['rsync -a a/ u@h.x::mod/', 'send', 'h.x'],
    ['rsync -a a/ b/'],
    ['tar cf h.x:/a b', 'send', 'h.x'],
    ['tar cf a b'],
    ['tar cf ./a:b c'],
    ['tar --force-local -cf a:b c'],
    ['mail -s x a@h.x', 'send', 'h.x'],
    ['ping -c 1 h.x', 'send', 'h.x'],
    ['aws s3 cp f s3://b/c', 'send', 'amazonaws.com'],
    ['rclone copy f r:b', 'send'],
    ['rclone copy a b'],
  ],
  'what does both': [
    ['nc h.x 4444', 'both', 'h.x'],
    ['nc -z h.x 4444'],
    ['nc -U /run/sock'],
    ['ncat --recv-only h.x 1', 'receive', 'h.x'],
    ['socat - TCP:h.x:1', 'both', 'h.x'],
    ['socat -u FILE:/a OPENSSL:h.x:1', 'send', 'h.x'],
    ['socat - UNIX-CONNECT:/run/sock'],
    ['ssh -p 22 u@h.x ls', 'both', 'h.x'],
    ['ssh -V'],
    ['telnet h.x 23', 'both', 'h.x'],
    ['openssl s_client -connect h.x:443', 'both', 'h.x'],
    ['openssl enc -d -in a'],
    ['dig @8.8.8.8 a.h.x', 'both', 'a.h.x'],
    ['nslookup a.h.x', 'both', 'a.h.x'],
    ['psql -h h.x', 'both', 'h.x'],
    ['psql -h localhost'],
    ['psql'],
  ],
  'what listens': [
    ['nc -lvp 4444', 'listen'],
    ['socat TCP-LISTEN:1 -', 'listen'],
    ['php -S 0.0.0.0:80', 'listen'],
  ],
  'what does nothing of the kind': [['echo https://x.y'], ['frobnicate https://x.y'], ['cat a'], ['sudo curl x.y']],
}

describe.each(Object.entries(table))('%s', (_, rows) => {
  it.each(rows.map((row): [string, Case] => [row[0], row]))('%s', (command, [, direction, host]) => {
    const { network } = effectsOfText(command)
    expect(network?.direction).toBe(direction)
    expect(network?.host).toBe(host)
  })
})

/** A command of each program, in turn: what is said beside them. */
const kinds: Readonly<Record<ShellNetwork['kind'], readonly string[]>> = {
  request: [
    'curl x.y',
    'wget x.y',
    'xh x.y',
    'irm https://x.y',
    'lwp-request https://x.y',
    'puf x.yz/a',
    'grpcurl x.y a',
  ],
  stream: ['nc x.y 1', 'pwncat x.y 1', 'socat1 - TCP:x.y:1', 'telnet x.y', 'openssl s_client -connect x.y:1'],
  transfer: ['lftp x.y', 'tftp x.y', 'smbclient //x.y/a', 'ncftpput x.y a b'],
  mail: ['mail a@x.y', 'sendmail a@x.y', 'mutt -c a@x.y', 'swaks --to a@x.y', 'mpack a@x.y', 'exim4 a@x.y'],
  copy: ['scp a x.y:', 'rsync a x.y:', 'sftp x.y', 'borg create u@x.y:a::b c'],
  session: ['ssh x.y', 'mosh x.y', 'sshfs x.y:/a b', 'ssh-copy-id x.y'],
  store: ['aws s3 cp a s3://b', 'gsutil cp a gs://b', 's5cmd cp a s3://b', 'gcloud storage cp a gs://b'],
  share: [
    'rclone copy a gd:',
    'croc send a',
    'pastebinit a',
    'gh gist create a',
    'gh api gists -F a=@b',
    'bashupload a',
  ],
  project: ['git clone https://x.y/a', 'gh pr create', 'docker pull a', 'hg clone https://x.y/a'],
  service: ['psql -h x.y', 'mariadb -h x.y', 'aws ec2 describe-instances', 'logger -n x.y a'],
  lookup: ['dig x.y', 'ping x.y', 'getent hosts x.y', 'dog x.yz', 'whois x.y', 'dns-sd x.y', 'test-connection x.y'],
  tunnel: ['ngrok http 1', 'bore local 1', 'frpc'],
  serve: ['serve', 'miniserve x', 'ruby -run -ehttpd . -p1', 'php -S 0.0.0.0:80 -t x', 'caddy file-server --root x'],
}

it.each(Object.entries(kinds))('of the kind %s is what %s do with the network', (kind, commands) => {
  const others = commands.filter((command) => effectsOfText(command).network?.kind !== kind)
  expect(others).toEqual([])
})

const servers = [
  'npx serve',
  'python3 -m http.server -d x',
  'uv run -m http.server',
  'deno run -A jsr:@std/http/file-server x',
  'bunx http-server@14 x',
  'go run github.com/a/miniserve@latest x',
  'nix run nixpkgs#darkhttpd -- x',
  'uvx uploadserver',
]

it.each(servers)('a server of files is found whatever starts it: %s', (command) => {
  const { commands } = factsOf(command)
  expect(commands.map(({ network }) => network?.kind)).toContain('serve')
})

it('a name that other programs have too is one of the network only with an address', () => {
  const commands = ['dog monitor list', 'q "select 1"', 'getent passwd', 'get pods', 'fetch --all']
  expect(commands.filter((command) => effectsOfText(command).network !== undefined)).toEqual([])
})

it.each([
  ['rsync -an a h.x:b', 'rsync -an --no-dry-run a h.x:b'],
  ['aws s3 sync a s3://b --dryrun', 'aws s3 sync a s3://b --dryrun=false'],
  ['s5cmd --dry-run cp a s3://b', 's5cmd cp a s3://b'],
  ['rclone -n copy a gd:', 'rclone copy a gd:'],
])('%s sends nothing, and %s does', (trial, real) => {
  expect([trial, real].map((command) => effectsOfText(command).network?.direction)).toEqual(['receive', 'send'])
})

it.each([
  ['swaks --to a@x.y --server localhost:1025', 'localhost'],
  ['swaks --to a@x.y -s 127.0.0.1 -p 1025', 'localhost'],
  ['msmtp --host=localhost --port=1025 a@x.y', 'localhost'],
  ['swaks --to a@x.y --server localhost', 'x.y'],
  ['swaks --to a@x.y --server localhost:587', 'x.y'],
  ['mail -s localhost a@x.y', 'x.y'],
])('the mail of %s goes to %s', (command, host) => {
  expect(effectsOfText(command).network).toMatchObject({ kind: 'mail', direction: 'send', host })
})

describe('a redirection of bash to /dev/tcp is a connection', () => {
  const to = (operator: '<' | '>' | '<>', value: string) => {
    const { network, paths } = effectsOfText('cat', { redirections: [{ operator, descriptor: 1, target: { value } }] })
    return { ...network, paths: paths.length }
  }
  it('to a host, in the redirection’s direction', () => {
    expect(to('>', '/dev/tcp/h.x/1')).toEqual({ kind: 'stream', direction: 'send', host: 'h.x', paths: 0 })
    expect(to('<', '/dev/udp/h.x/1')).toEqual({ kind: 'stream', direction: 'receive', host: 'h.x', paths: 0 })
    expect(to('<>', '/dev/tcp/h.x/1')).toEqual({ kind: 'stream', direction: 'both', host: 'h.x', paths: 0 })
  })
  it('but not where it is a file', () => {
    expect(to('>', '/dev/tcpdump')).toEqual({ paths: 1 })
    expect(to('>', 'dev/tcp/h.x/1')).toEqual({ paths: 1 })
  })
})

describe('stdout and stdin', () => {
  it.each([
    ['wget x.y/f', true],
    ['wget -O - x.y/f', undefined],
    ['curl -o f x.y', true],
    ['curl -o f x.y z.y', undefined],
    ['curl -o - x.y', undefined],
    ['curl x.y', undefined],
    ['cp a b', true],
    ['gzip -c a', undefined],
  ])('%s is silent: %s', (command, silent) => {
    expect(effectsOfText(command).silent).toBe(silent)
  })
  it.each([
    ['curl -d @- x.y', undefined],
    ['curl -T - x.y', undefined],
    ['curl -F a=@- x.y', undefined],
    ['curl -d a x.y', true],
    ['echo a', true],
    ['cat', undefined],
    ['http x.y', undefined],
    ['http --ignore-stdin x.y', true],
  ])('%s reads no stdin: %s', (command, deaf) => {
    expect(effectsOfText(command).ignoresStdin).toBe(deaf)
  })
})

it.each([
  ['git -C a commit -m x', true],
  ['git push', false],
  ['gh issue create -t a', true],
  ['gh secret set A', false],
  ['hub merge b', true],
  ['jira issue create', true],
  ['slack auth login', false],
  ['ntfy publish a b', true],
  ['cat a', undefined],
])('%s keeps or sends a text for others: %s', (command, message) => {
  expect(effectsOfText(command).message).toBe(message)
})

/** Ways to send the same text to the same place. */
const sent: readonly string[] = [
  'curl -d a=1 https://api.example.com/v1/users',
  'curl -sX POST --url https://api.example.com/v1/users --data-raw a=1',
  'wget -qO- --post-data=a=1 https://api.example.com/v1/users',
  'http POST https://api.example.com/v1/users a=1',
  'xh https://api.example.com/v1/users a=1',
  'irm -Method Post -Uri https://api.example.com/v1/users -Body a=1',
  'Invoke-WebRequest https://api.example.com/v1/users -me post -bo a=1',
  `pwsh -c 'irm -Method Post -Body a=1 https://api.example.com/v1/users'`,
  `lwp-request -m POST https://api.example.com/v1/users`,
  `python3 -c 'import requests; requests.post("https://api.example.com/v1/users", data="a=1")'`,
  `node -e 'fetch("https://api.example.com/v1/users", { method: "POST", body: "a=1" })'`,
  `ruby -e 'require "net/http"; Net::HTTP.post(URI("https://api.example.com/v1/users"), "a=1")'`,
]

it.each(sent)('the network of a request that sends does not depend on its program: %s', (command) => {
  const networks = factsOf(command).commands.flatMap(({ network }) => network ?? [])
  const [network] = networks
  expect(networks).toHaveLength(1)
  expect(network).toEqual({
    kind: 'request',
    direction: 'both',
    host: 'api.example.com',
    url: 'https://api.example.com/v1/users',
  })
})
