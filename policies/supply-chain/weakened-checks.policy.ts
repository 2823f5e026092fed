import { abstains, definePolicy, denies, deny, type Impact, isUnchecked, quoted } from 'hookgate/policy'

/** Returns the options, variables and settings by which an impact has nobody check what comes. */
function uncheckedIn({ targets }: Impact): readonly string[] {
  const settings = (targets['setting'] ?? []).flatMap((setting) => {
    const [, name = '', value = ''] = /^([^=]*)=([^]*)$/.exec(setting) ?? []
    return isUnchecked('setting', name, value) ? [`${name} ${value}`] : []
  })
  return [...(targets['unchecked'] ?? []), ...settings]
}

export default definePolicy({
  id: 'weakened-checks',
  description: 'Refuses to turn off the checks that a package is the intended one',
  severity: 'high',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['packages'] },
  params: {
    uncheckedSettings: { type: 'strings', default: [], description: 'options, settings and variables that may be set' },
  },
  decide({ impacts, params }) {
    for (const impact of impacts) {
      if (impact.area !== 'packages') continue
      const allowed = params.uncheckedSettings.map((one) => one.toLowerCase().replace('=', ' '))
      const what = uncheckedIn(impact).find(
        (one) => !allowed.some((start) => one.toLowerCase().replace('=', ' ').startsWith(start)),
      )
      if (what === undefined) continue
      return deny(
        `${quoted(what)} skips a check that a package is the one that is meant: leave it on, and tell the person what fails`,
        {
          at: impact.by,
        },
      )
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
