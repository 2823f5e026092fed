import { setOf } from '../../../model/look-ups.ts'
import { toolWords } from '../../../words/names.ts'
import type { ImpactKind } from '../../../model/impact.ts'
import { kindOf } from '../naming.ts'
import type { ServerCall } from './tool.ts'

/** Verbs after which something is gone, whatever it is; others that delete are also had for filters and caches. */
export const deletingVerbs =
  'delete del destroy drop purge wipe truncate terminate uninstall erase flush flushall flushdb revoke deprovision decommission nuke teardown dispose expunge undeploy deregister unregister'
const deleting = setOf(deletingVerbs)
export const isDeleting = (word: string): boolean => deleting.has(word)

/** Returns the kind of a tool's verb. A reset restores the first state and deletes nothing, so it is a rollback. */
export const kindOfTool = (verb: string): ImpactKind | undefined => (verb === 'reset' ? 'rollback' : kindOf(verb))

/** Things that come back with difficulty, if at all. */
const lasting = setOf(
  'repository repo project projects database databases db table tables schema collection collections bucket buckets namespace namespaces cluster clusters instance instances server servers service services volume volumes disk snapshot backup backups stack environment environments organization org account user users team workspace zone domain deployment app application index topic queue branch release records rows customer customers',
)
export const isLasting = (word: string): boolean => lasting.has(word)

/** Things that nobody misses, or that are the agent's own. */
const passing = setOf(
  'reaction reactions bookmark tab tabs draft drafts node nodes entity entities observation observations relation relations memory memories filter breakpoint cursor selection element gameobject gameobjects layer layers shape shapes mesh meshes cell cells todo todos thought session',
)
export const isPassing = (word: string): boolean => passing.has(word)

/** Returns the verb of a tool's name after which something is gone. */
export const deletingVerb = ({ parts }: ServerCall): string | undefined =>
  parts.find((part) => isDeleting(part) || (/^(?:remove|rm|kill|prune)$/.test(part) && isRemoval(parts)))
/** A label is removed from something; a container is gone. */
const isRemoval = (parts: readonly string[]) =>
  parts.some((part) => lasting.has(part) || /^(?:containers?|images?|pods?)$/.test(part))

const changes = setOf(
  'deploy redeploy update apply patch set create restart rollback scale exec execute run migrate promote publish release remove put edit write replace modify stop start reset restore sync',
)
/** True for a verb that changes what is there. */
export const isChanging = (word: string): boolean => changes.has(word)

/** Verbs by which a version comes to serve others, or to serve them anew. */
const releases = setOf('deploy redeploy apply rollback migrate promote publish release restart')
export const isReleasing = (word: string): boolean => releases.has(word)

/** True if a task's name says that it releases: `deploy-production`, which a tool only builds or triggers. */
export const namesRelease = (text: string): boolean => toolWords(text).some((word) => releases.has(word))
