import {
  abstains,
  ask,
  asks,
  definePolicy,
  denies,
  deny,
  impactText,
  type PolicyAnswer,
  quoted,
  type TextChange,
} from 'hookgate/policy'

/** Files in which a system or a manager keeps where packages come from. */
const files =
  /(?:^|\/)(?:etc\/apt\/(?:sources\.list|sources\.list\.d\/|trusted\.gpg|keyrings\/|preferences)|usr\/share\/keyrings\/|etc\/yum\.repos\.d\/|etc\/yum\.conf|etc\/dnf\/|etc\/zypp\/repos\.d\/|etc\/apk\/(?:repositories|keys\/)|etc\/pacman\.(?:conf|d\/)|usr\/local\/share\/ca-certificates\/|etc\/pki\/(?:ca-trust|rpm-gpg)\/|etc\/ssl\/certs\/|etc\/pip\.conf|etc\/npmrc)/
const userFiles =
  /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.yml)?|\.pip\/pip\.conf|\.config\/pip\/pip\.conf|pip\.(?:conf|ini)|\.pypirc|\.cargo\/config(?:\.toml)?|\.gemrc|\.bundle\/config|\.condarc|bunfig\.toml|\.config\/uv\/uv\.toml|nuget\.config|\.m2\/settings\.xml|\.pnpmfile\.cjs|\.config\/composer\/config\.json)$/i

/** A setting by which a manager runs less of what it gets, or checks more; all other lines stay as they were. */
const strict =
  /^\s*(?:ignore-scripts\s*=\s*true|ignoreScripts\s*=\s*true|strict-ssl\s*=\s*true|enableScripts\s*:\s*false|enableStrictSsl\s*:\s*true|engine-strict\s*=\s*true|save-exact\s*=\s*true|audit\s*=\s*true|(?:minimum-release-age|min-release-age)\s*=\s*[1-9]\d*)\s*$/
const isStricter = ({ removed, added }: TextChange) => {
  const [before, after] = [removed, added].map((text) => text.split('\n').filter((line) => line.trim() !== ''))
  const come = after?.filter((line) => before?.includes(line) !== true) ?? []
  const names = new Set(come.map((line) => line.split(/[=:]/, 1)[0]?.trim()))
  const gone = before?.filter((line) => after?.includes(line) !== true) ?? []
  return (
    come.length > 0 &&
    come.every((line) => strict.test(line)) &&
    gone.every((line) => names.has(line.split(/[=:]/, 1)[0]?.trim()))
  )
}

export default definePolicy({
  id: 'package-sources',
  description:
    'Refuses to make the system trust other keys and repositories, and asks before a package manager gets another source',
  severity: 'high',
  on: 'PreToolUse',
  tool: ['shell', 'write', 'edit'],
  interest: { impacts: ['packages', 'system-packages'], access: ['write'] },
  params: {
    sourceFiles: {
      type: 'strings',
      default: [],
      description: 'such files that may be written, by the end of their path',
    },
    allowedSources: { type: 'strings', default: [], description: 'names or addresses of sources that may be added' },
  },
  decide({ impacts, shell, paths, changes, params }) {
    const may = (text: string) => params.sourceFiles.some((end) => text.endsWith(end))
    let doubt: PolicyAnswer | undefined
    for (const impact of impacts) {
      const { kind, area, by: at, words } = impact
      const isTrust = area === 'system-packages' && (kind === 'weaken' || kind === 'create')
      const isSource = area === 'packages' && kind === 'create'
      if ((!isTrust && !isSource) || typeof at !== 'number') continue
      if (shell.commands[at]?.args.some(({ value }) => params.allowedSources.includes(value)) === true) continue
      if (isTrust) return deny(`\`${words}\` ${impactText(impact)} on this machine: let the person do it`, { at })
      doubt ??= ask(
        `\`${words}\` adds a source that packages come from, from now on: let the person check whose it is`,
        { at },
      )
    }
    const touched =
      shell.commands.length === 0
        ? paths.map((path) => ({ path, at: undefined }))
        : shell.commands.flatMap(({ elsewhere, paths: own }, at) =>
            elsewhere === true ? [] : own.map((path) => ({ path, at })),
          )
    for (const { path, at } of touched) {
      if (path.access !== 'write' || path.metadata === true) continue
      const where = path.absolute ?? path.written
      if (may(where)) continue
      if (files.test(where))
        return deny(
          `this would write ${quoted(path.written)}, which says whose packages this machine trusts: let the person change it`,
          { at },
        )
      const own = changes.filter((one) => one.path === path.absolute && one.at === at)
      if (own.length > 0 && own.every(isStricter)) continue
      if (userFiles.test(where))
        doubt ??= ask(
          `this would write ${quoted(path.written)}, which says where packages come from: show the person the change`,
          {
            at,
          },
        )
    }
    return doubt
  },
  examples: [
    denies('a key', 'curl -fsSL a.example/k | sudo apt-key add -'),
    abstains('the keys', 'apt-key list'),
    denies('a repository', 'sudo add-apt-repository -y ppa:someone/a'),
    abstains('the repositories', 'cat /etc/apt/sources.list'),
    denies('by a file', 'echo deb x | sudo tee /etc/apt/sources.list.d/a.list'),
    abstains('a list of its own', 'echo deb x > sources.list'),
    asks('a tap', 'brew tap someone/a https://a.example/b'),
    abstains('the taps', 'brew tap'),
    asks('of charts', 'helm repo add a https://a.example'),
    abstains('the charts', 'helm repo update'),
    abstains('a setting that runs less', { tool: 'write', input: { path: '.npmrc', content: 'ignore-scripts=true' } }),
    asks('settings', { tool: 'write', input: { path: '.npmrc', content: 'registry=x' } }),
    abstains('others', { tool: 'write', input: { path: '.nvmrc', content: '24' } }),
    asks('settings that are edited', { tool: 'edit', input: { path: 'web/.yarnrc.yml' } }),
    abstains('others that are edited', { tool: 'edit', input: { path: 'web/vite.config.ts' } }),
    abstains('settings that may be written', {
      tool: 'write',
      input: { path: 'app/.npmrc', content: 'fund=false' },
      params: { sourceFiles: ['app/.npmrc'] },
    }),
    abstains('a source that may be added', 'brew tap corp/tools', { params: { allowedSources: ['corp/tools'] } }),
  ],
})
