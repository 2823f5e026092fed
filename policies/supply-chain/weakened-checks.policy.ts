import { abstains, definePolicy, denies, deny, isUnchecked, type ShellCommand } from 'hookgate/policy'
import { packageCallOf, packagePrograms } from './managers.ts'

/** Options that have a manager take a package from anybody who says that he is the registry. */
const options =
  /^--(?:trusted-host|no-verify-ssl|no-check-certificate|allow-insecure-host|no-strict-ssl|strict-ssl=false|allow-unauthenticated|allow-insecure-repositories|allow-downgrade-to-insecure-repositories|no-gpg-checks?|nogpgcheck|no-?gpg-?check|allow-untrusted|force-yes|insecure|skip-integrity-check|disable-integrity-check|no-verify-checksums|dangerously-allow-all-builds|no-secure-http|disable-tls|trust-policy=nosecurity|ignore-existing-gpg)(?:=|$)/i

const managersOfSystems =
  /^(?:apt|apt-get|aptitude|dnf|yum|microdnf|zypper|apk|pacman|yay|rpm|dpkg|opkg|xbps-install|brew|port|snap|flatpak|winget|choco)$/

function weakened(command: ShellCommand): string | undefined {
  const { program, args, assignments } = command
  for (const { name, value } of assignments) {
    if (isUnchecked('variable', name, value.value)) return `${name}=${value.value}`
  }
  const call = packageCallOf(command)
  const words = args.map(({ value }) => value)
  if (call !== undefined || managersOfSystems.test(program)) {
    const option = words.find((word) => options.test(word))
    if (option !== undefined) return option
    const trust = words.findIndex((word) => word === '-P' || word === '--trust-policy')
    if (program === 'gem' && /^nosecurity$/i.test(words[trust + 1] ?? '') && trust !== -1) return '-P NoSecurity'
  }
  const sets =
    call?.act === 'configure' ||
    program === 'export' ||
    (program === 'git' && words.includes('config')) ||
    call?.verb.startsWith('config') === true
  if (!sets) return undefined
  for (const [at, word] of words.entries()) {
    const [, name = '', value = words[at + 1] ?? ''] = /^-*([^=]*)(?:=(.*))?$/.exec(word) ?? []
    if (isUnchecked(program === 'export' ? 'variable' : 'setting', name, value)) return `${name} ${value}`
  }
  return undefined
}

export default definePolicy({
  id: 'weakened-checks',
  description: 'Refuses to turn off the checks that a package is the intended one',
  severity: 'high',
  on: 'PreToolUse',
  tool: 'shell',
  interest: {
    words: [
      ...packagePrograms,
      'export git apt aptitude dnf yum microdnf zypper apk pacman yay rpm dpkg opkg xbps brew port snap flatpak winget choco',
    ],
    assignments: true,
  },
  params: {
    uncheckedSettings: { type: 'strings', default: [], description: 'options, settings and variables that may be set' },
  },
  decide({ shell, params }) {
    for (const [at, command] of shell.commands.entries()) {
      const what = weakened(command)
      if (
        what === undefined ||
        params.uncheckedSettings.some((one) => what.toLowerCase().startsWith(one.toLowerCase()))
      )
        continue
      return deny(`${what} accepts packages from any server: leave the check on, and tell the person what fails`, {
        at,
      })
    }
    return undefined
  },
  examples: [
    denies('a trusted host', 'pip install --trusted-host a.example b'),
    abstains('no such host', 'pip install b'),
    denies('no certificates', 'npm config set strict-ssl false'),
    abstains('certificates', 'npm config set strict-ssl true'),
    denies('a variable', 'NODE_TLS_REJECT_UNAUTHORIZED=0 npm ci'),
    abstains('another variable', 'NODE_ENV=test npm ci'),
    denies('no sums', 'export GOSUMDB=off'),
    abstains('sums', 'export GOSUMDB=sum.golang.org'),
    denies('no signatures', 'sudo apt-get install --allow-unauthenticated a'),
    abstains('signatures', 'apt-get update'),
    denies('git', 'git config --global http.sslVerify false'),
    abstains('another setting of git', 'git config core.pager false'),
    abstains('allowed', 'pip install --trusted-host=pypi.corp.example b', {
      params: { uncheckedSettings: ['--trusted-host=pypi.corp.example'] },
    }),
    abstains('only printed', 'echo npm config set strict-ssl false'),
  ],
})
