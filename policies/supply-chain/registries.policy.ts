import { abstains, ask, asks, definePolicy, denies, deny, quoted, unknownPart } from 'hookgate/policy'
import { impactsOn } from './packages.ts'

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
  interest: { impacts: ['packages'], assignments: true },
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
  decide({ impacts, shell, params }) {
    const strange = (address: string) =>
      address !== '' &&
      !/^(?:direct|off|defaults|conda-forge|bioconda|nvidia|pytorch)$/.test(address) &&
      !params.allowedRegistries.includes(hostOf(address))
    for (const { targets, by: at } of impactsOn(impacts, 'packages', 'change')) {
      const set = targets['setting']?.map(sourceSet).find((value) => value?.split(',').some(strange) === true)
      if (set !== undefined)
        return deny(
          `this makes all packages come from ${quoted(set)} from now on: name the registry only where it is needed`,
          {
            at,
          },
        )
    }
    for (const { targets, by: at } of impactsOn(impacts, 'packages', 'install', 'run', 'publish', 'grant')) {
      const addresses = targets['index']?.filter((value) => /:\/\/|^\/\//.test(value) || value.includes(unknownPart))
      const other = addresses?.find(strange)
      if (other !== undefined)
        return ask(
          `this takes packages from ${quoted(other)}, which is no usual registry: have the person check whose it is`,
          { at },
        )
    }
    for (const [at, command] of shell.commands.entries()) {
      const variable = command.assignments.find(
        ({ name, value }) => variables.test(name) && value.value.split(/[,|]/).some(strange),
      )
      if (variable !== undefined) {
        return ask(
          `\`${variable.name}\` makes packages come from ${quoted(variable.value.value)}: leave it to the project's settings`,
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

/** Returns the value that a setting for the source of packages gets. */
const sourceSet = (setting: string): string | undefined => {
  const [, key = '', value = ''] = /^([^=]*)=([^]*)$/.exec(setting) ?? []
  return settings.test(key) ? value : undefined
}
