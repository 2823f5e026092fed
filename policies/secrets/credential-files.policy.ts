import { ask, definePolicy, deny } from 'hookgate/policy'
import { credentialFileExamples } from './examples/credential-files.ts'
import { secretReads } from './reads.ts'
import { readParams } from './params.ts'

const isFolder = /(?:^|[\\/])\.(?:ssh|gnupg)[\\/]?$/
const holds = (what: string) => [`holds ${what}`, `may hold ${what}`] as const
const aKey = ['is a private key', 'may be a private key'] as const

export default definePolicy({
  id: 'credential-files',
  description: 'Keeps the agent from reading keys, passwords and tokens',
  severity: 'critical',
  on: 'PreToolUse',
  tool: ['shell', 'read', 'search', 'list', 'fetch', 'browser', 'mcp', 'other'],
  carried: ['prompt'],
  interest: { access: ['read', 'execute', 'delete'] },
  params: readParams,
  decide({ tool, shell, paths, impacts, params }) {
    const reads = secretReads({ tool, shell, paths, impacts }, params.allowedFiles).filter(
      ({ secret, alias, command }) =>
        secret.kind !== 'environment' &&
        (alias !== true || shell.flows.some(({ from, via }) => from === command && via === 'file')),
    )
    const worst = reads.find(({ secret }) => secret.sure && secret.kind !== 'likely') ?? reads[0]
    if (worst === undefined) return undefined
    const at = worst.command
    const { path, kind, sure } = worst.secret
    if (kind === 'likely')
      return ask(`${path} may contain passwords or tokens, which anyone who reads them can use`, { at })
    const [is, mayBe] = kind !== 'key' ? holds('credentials') : isFolder.test(path) ? holds('private keys') : aKey
    if (!sure) return ask(`${path} ${mayBe}: name the file that you need, or ask the person for it`, { at })
    return deny(
      `${path} ${is}: its content is not for you. Have the program that needs it read it itself, or ask the person`,
      { at },
    )
  },
  examples: credentialFileExamples,
})
