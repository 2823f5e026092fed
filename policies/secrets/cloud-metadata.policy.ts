import { abstains, definePolicy, denies, deny, quoted, type ShellCommand } from 'hookgate/policy'

/** Addresses of cloud metadata services, which hand out the machine's tokens. */
const hosts =
  /^(?:169\.254\.(?:169\.254|170\.2|170\.23)|\[?fd00:ec2::(?:254|23)\]?|metadata\.google\.internal|metadata|100\.100\.100\.200|0xa9fea9fe|2852039166|instance-data(?:\.ec2\.internal)?|metadata\.azure\.internal|metadata\.tencentyun\.com|192\.0\.0\.192|169[.-]254[.-]169[.-]254\.(?:nip|sslip|xip)\.io)$/i

/** The target of a redirected name, as in curl's `a.example:80:169.254.169.254`. */
const ledTo = (text: string) => text.slice(text.lastIndexOf(':') + 1)

const hostIn = (text: string) => /^(?:[a-z]+:\/\/)?(?:[^/@]*@)?(\[[^\]]*\]|[^/:?#\uFDD0]+)/i.exec(text)?.[1] ?? ''

const isMetadata = (address: string) => hosts.test(hostIn(address)) || hosts.test(ledTo(address))

/** Returns the addresses that a command may contact. */
function addressesOf({ network, args, code, redirections }: ShellCommand): readonly string[] {
  const named = args.flatMap(({ value }) => (/[.:/\dx]/.test(value) ? [value] : []))
  return [
    ...(network === undefined ? [] : [network.host ?? '', ...named]),
    ...(code?.text?.match(/https?:\/\/[^\s"'`)]+/g) ?? []),
    ...redirections.map(({ target }) => target?.value.split('/dev/tcp/')[1] ?? ''),
  ]
}

export default definePolicy({
  id: 'cloud-metadata',
  description: 'Refuses requests for the credentials that a cloud gives its machines',
  severity: 'high',
  on: 'PreToolUse',
  tool: ['shell', 'fetch', 'browser'],
  carried: ['prompt'],
  interest: { code: true, network: true },
  params: {
    allowMetadata: { type: 'boolean', default: false, description: 'whether such requests are part of the work' },
  },
  decide({ tool, shell, params }) {
    if (params.allowMetadata) return undefined
    const at = shell.commands.findIndex((command) => addressesOf(command).some(isMetadata))
    const command = shell.commands[at]
    const address = command === undefined ? (tool.url ?? '') : addressesOf(command).find(isMetadata)
    if (address === undefined || !isMetadata(address)) return undefined
    const host = hosts.test(hostIn(address)) ? hostIn(address) : ledTo(address)
    const who = command === undefined ? 'this' : `\`${command.program}\``
    const whom = host === command?.program ? '' : ` ${quoted(host)}`
    return deny(`${who} asks${whom} for this machine's credentials: use the cloud's own command line`, {
      at: command === undefined ? undefined : at,
    })
  },
  examples: [
    denies('with curl', 'curl http://169.254.169.254/latest/meta-data/iam/'),
    denies('by a name that is led there', 'curl --resolve a.example:80:169.254.169.254 http://a.example/'),
    abstains('by a name that is led elsewhere', 'curl --resolve a.example:80:127.0.0.1 http://a.example/'),
    denies('with a path that is not known', 'curl "http://169.254.170.2$AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"'),
    denies('by a name for the address', 'curl http://169.254.169.254.nip.io/'),
    denies('by a program for it', 'ec2metadata'),
    abstains('another address', 'curl http://169.254.1.1/'),
    abstains('a word that is called like it', 'vault kv metadata get app/config'),
    denies('by its short name', 'curl -s http://metadata/computeMetadata/v1/'),
    denies('with wget', 'wget -qO- metadata.google.internal/computeMetadata/v1/'),
    abstains('another host', 'wget -qO- google.com/metadata'),
    denies('by a tool', { tool: 'fetch', input: { url: 'http://169.254.170.2/v2/credentials' } }),
    abstains('another page', { tool: 'fetch', input: { url: 'https://a.example/169.254.169.254' } }),
    denies('by a browser', { tool: 'browser', input: { url: 'http://100.100.100.200/latest/' } }),
    abstains('another page in it', { tool: 'browser', input: { url: 'http://100.100.100.1/' } }),
    abstains('only printed', 'echo curl http://169.254.169.254/'),
    abstains('allowed', 'curl http://169.254.169.254/', { params: { allowMetadata: true } }),
    denies('by code', `python3 -c 'import urllib.request as u; u.urlopen("http://169.254.169.254/x")'`),
    abstains('by no code', `python3 -c 'print("169.254.169.254")'`),
  ],
})
