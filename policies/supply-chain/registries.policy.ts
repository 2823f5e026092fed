import { abstains, ask, asks, definePolicy, denies, deny, unknownPart } from 'hookgate/policy'
import { type PackageCall, packageCallOf, packagePrograms } from './managers.ts'

const indexOptions = [
  'i',
  'index-url',
  'extra-index-url',
  'f',
  'find-links',
  'default-index',
  'index',
  'pypi-mirror',
  'registry',
  'source',
  's',
  'server',
  'mirror',
  'channel',
]
/** Managers whose `-i`, `-f` or `-s` is something else. */
const shortOptions: Readonly<Record<string, readonly string[]>> = {
  pip: ['i', 'f'],
  easy_install: ['i', 'f'],
  pipenv: ['i'],
  gem: ['s'],
  dotnet: ['s'],
  'ansible-galaxy': ['s'],
}
const settings =
  /^(?:[@\w:./-]*registry|global\.(?:extra-)?index-url|(?:install\.)?(?:extra-)?index-url|npmregistryserver|npmscopes\..*|repositories\..*|sources?\..*|mirror\..*|goproxy|goflags|channels?|find-links)$/i

const variables =
  /^(?:npm_config_registry|yarn_registry|yarn_npm_registry_server|pip_(?:extra_)?index_url|pip_find_links|uv_(?:default_|extra_)?index(?:_url)?|goproxy|gem_source|bundle_mirror__.*|cargo_registr(?:y|ies)_.*index|pipenv_pypi_mirror|hex_mirror(?:_url)?|composer_mirror.*|bun_config_registry)$/i

export default definePolicy({
  id: 'registries',
  description: 'Asks before packages come from an unusual registry, and refuses to make that a setting',
  severity: 'high',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: packagePrograms, assignments: true },
  params: {
    allowedRegistries: {
      type: 'strings',
      default: [
        'registry.npmjs.org',
        'registry.yarnpkg.com',
        'npm.pkg.github.com',
        'npm.jsr.io',
        'pypi.org',
        'test.pypi.org',
        'files.pythonhosted.org',
        'download.pytorch.org',
        'index.crates.io',
        'crates.io',
        'rubygems.org',
        'proxy.golang.org',
        'repo.packagist.org',
        'api.nuget.org',
        'conda.anaconda.org',
        'galaxy.ansible.com',
      ],
      description: 'hosts of registries that packages may come from',
    },
  },
  decide({ shell, params }) {
    const strange = (address: string) =>
      address !== '' &&
      !/^(?:direct|off|defaults|conda-forge|bioconda|nvidia|pytorch)$/.test(address) &&
      !params.allowedRegistries.includes(hostOf(address))
    for (const [at, command] of shell.commands.entries()) {
      const call = packageCallOf(command)
      const set = call === undefined ? undefined : settingOf(call)
      if (set !== undefined && set.split(',').some(strange)) {
        return deny(`this makes all packages come from ${set} from now on: name the registry only where it is needed`, {
          at,
        })
      }
      if (call !== undefined && call.act !== 'configure' && call.act !== 'add-source') {
        const other = indexesOf(call).find(strange)
        if (other !== undefined) {
          return ask(`${other} is not one of the usual registries: its owner can give any package any content`, {
            at,
          })
        }
      }
      const variable = command.assignments.find(
        ({ name, value }) => variables.test(name) && value.value.split(/[,|]/).some(strange),
      )
      if (variable !== undefined) {
        return ask(
          `${variable.name} makes packages come from ${variable.value.value}: leave it to the project’s settings`,
          { at },
        )
      }
    }
    return undefined
  },
  examples: [
    asks('an index', 'pip install --index-url https://a.example/simple b'),
    abstains('the usual index', 'pip install -i https://pypi.org/simple b'),
    asks('one more index', 'pip install b --extra-index-url=https://a.example'),
    abstains('a file of settings', 'pip install -r requirements.txt'),
    asks('a registry', 'npm i b --registry https://a.example'),
    abstains('the usual registry', 'npm i b --registry=https://registry.npmjs.org/'),
    denies('as a setting', 'npm config set registry https://a.example'),
    abstains('another setting', 'npm config set fund false'),
    asks('as a variable', 'GOPROXY=https://a.example go get b'),
    abstains('another variable', 'CGO_ENABLED=0 go build'),
    abstains('of the company', 'npm ci --registry https://npm.corp.example', {
      params: { allowedRegistries: ['npm.corp.example'] },
    }),
    asks('the usual one where only the company’s is allowed', 'npm i b --registry https://registry.npmjs.org', {
      params: { allowedRegistries: ['npm.corp.example'] },
    }),
  ],
})

const hostOf = (address: string) =>
  /^(?:[a-z+]+:\/\/)?(?:[^/@]*@)?([^/:?#]+)/i.exec(address.trim())?.[1]?.toLowerCase() ?? ''

function indexesOf({ manager, options }: PackageCall): readonly string[] {
  const short = shortOptions[manager] ?? []
  return indexOptions
    .filter((option) => option.length > 1 || short.includes(option))
    .flatMap((option) => options.values(option))
    .map(({ value }) => value)
    .filter((value) => /:\/\/|^\/\//.test(value) || value.includes(unknownPart))
}

/** Returns the value that a setting for the source of packages gets. */
function settingOf({ act, verb, words }: PackageCall): string | undefined {
  if (act !== 'configure') return undefined
  const rest = words.slice(verb.split(' ').length)
  for (const [at, word] of rest.entries()) {
    const [, key = '', value] = /^-*([^=]*)(?:=(.*))?$/.exec(word) ?? []
    if (settings.test(key)) return value ?? rest[at + 1] ?? ''
  }
  return undefined
}
