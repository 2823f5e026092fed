import { ask, definePolicy, rootAround, setOf, toolWords, type TouchedPath, wayWithin } from 'hookgate/policy'
import { isFirstParty, type Owner, ownerOf } from './belonging.ts'
import { isSubstance } from './contents.ts'
import { sharedTextExamples } from './examples/shared-texts.ts'
import { trustedHosts } from './params.ts'
import { keptIn, keptInAddress } from './texts.ts'
import { type InputText, textsIn } from './tool-input.ts'

/** Verbs and things of tools that hand something to others. */
const sends = setOf(
  'send post publish share upload paste gist email mail message tweet forward attach reply notify submit webhook request http push comment'.split(
    ' ',
  ),
)
/** Things that others see as soon as they are made. */
const seen = setOf('page document doc issue pull discussion ticket draft snippet block blocks children'.split(' '))
const makes = setOf('create add append update insert edit write put'.split(' '))
const looks = setOf('get list search find read view describe download fetch show query'.split(' '))
/** Tools that send a file by its name. */
const sendsFiles = setOf('upload attach send share publish'.split(' '))
/** Text that is put into a page. */
const typing = /^(?:browser |page )?(?:type|fill)\b/
const isFileKey = /(?:file|path|attachment|document|photo|video|media)s?$/i

const hostOf = (address: string) => /^[a-z]+:\/\/(?:[^/@]*@)?(\[[^\]]*\]|[^/:?#]+)/i.exec(address)?.[1]?.toLowerCase()

const wordsOf = (name: string) => toolWords(name.split('__').slice(2).join('_'))

/** True if a tool hands what it is given to somebody, by its own words. */
function handsOn(name: string, keys: readonly InputText[]): boolean {
  const parts = wordsOf(name)
  if (looks.has(parts[0] ?? '')) return false
  if (parts.some((part) => sends.has(part)) || typing.test(parts.join(' '))) return true
  if (!parts.some((part) => makes.has(part))) return false
  if (parts.some((part) => seen.has(part))) return true
  // A file with a path is on this machine, one with a name in a drive, and one with an owner in a repository.
  const isHere = keys.some(({ key }) => /path$/i.test(key)) && !keys.some(({ key }) => key === 'owner')
  return parts.some((part) => /^files?$/.test(part)) && !isHere
}

/** Returns the owner of the repository that a tool writes to, where its input says so. */
function repositoryOf(texts: readonly InputText[]): string | undefined {
  const named = texts.find(({ key }) => /^(?:owner|org|organi[sz]ation)$/i.test(key))?.text
  const path = texts.find(({ key, text }) => /^(?:repo|repository|project_?id)$/i.test(key) && text.includes('/'))?.text
  return (named ?? path?.split('/')[0])?.toLowerCase()
}

/** True if a tool writes to a repository whose owner is the project's, or may be. */
function isOwners(texts: readonly InputText[], owner: Owner | undefined): boolean {
  const repository = repositoryOf(texts)
  return repository !== undefined && (owner === undefined || repository === owner.name)
}

/** True for a file that is not of the project, or that the project is made of. */
function isKept(text: string, paths: readonly TouchedPath[], roots: readonly string[]): boolean {
  const known = paths.find(({ written }) => written === text)
  const inRoot = known === undefined ? relativeTo(text, roots) : known.inRoot
  // Files beside a project are not temporary, even if the project is below the temporary folder.
  if (inRoot === undefined)
    return (
      !/^(?:\/private)?\/(?:var\/)?tmp\//.test(text) ||
      roots.some((root) => text.startsWith(root.replace(/[^/]+$/, '')))
    )
  return inRoot === '' || isSubstance(inRoot)
}

function relativeTo(path: string, roots: readonly string[]): string | undefined {
  if (!/^(?:\/|~|[A-Z]:\\)/i.test(path)) return path
  const root = rootAround(path, roots)
  return root === undefined ? undefined : wayWithin(path, root)
}

export default definePolicy({
  id: 'shared-texts',
  description: 'Asks before a tool hands source, settings, data or files to a place that is not the project owner’s',
  severity: 'medium',
  on: 'PreToolUse',
  tool: ['mcp', 'fetch', 'browser'],
  facts: { remote: { gitRemote: 'origin' } },
  params: { trustedHosts },
  decide({ tool, paths, params, facts, event }) {
    const owner = ownerOf(facts.remote)
    const texts = textsIn(tool.input)
    const isOurs = (address: string) => isFirstParty(hostOf(address) ?? '', address, owner, params.trustedHosts)
    const addresses = texts.filter(({ text }) => /^https?:\/\//i.test(text) && !isOurs(text))
    for (const { text } of addresses) {
      const kept = keptInAddress(text)
      if (kept !== undefined) return ask(`${kept} is written into an address at ${hostOf(text)}, whose owner gets it`)
    }
    if (!tool.name.startsWith('mcp__') || !handsOn(tool.name, texts) || isOwners(texts, owner)) return undefined
    const named = texts.filter(({ key }) => /^ur[il]$/i.test(key))
    if (named.length > 0 && named.every(({ text }) => isOurs(text))) return undefined
    const server = tool.name.split('__')[1] ?? ''
    const isUpload = wordsOf(tool.name).some((part) => sendsFiles.has(part))
    for (const { key, text } of texts) {
      const kept = keptIn(text)
      if (kept !== undefined)
        return ask(`${server} hands ${kept} to others than the project's owner: have the person agree to it`)
      if (isUpload && isFileKey.test(key) && /[./\\]/.test(text) && !/^https?:/.test(text) && !text.includes('\n'))
        if (isKept(text, paths, event.workspaceRoots))
          return ask(`${server} hands ${text} to others than the project's owner: have the person agree to it`)
    }
    return undefined
  },
  examples: sharedTextExamples,
})
