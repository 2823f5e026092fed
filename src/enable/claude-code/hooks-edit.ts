import { applyEdits, type Edit, getNodeValue, type Node } from 'jsonc-parser'
import { z } from 'zod'
import { HookgateError } from '../../model/errors.ts'
import { quoted } from '../../model/text.ts'
import { type JsonDocument, keyOf, malformed, parseDocument, placeAt, valueAt } from '../json/document.ts'
import { append, element, layoutOf, member, removeSome, replaceInside, textInside } from '../json/layout.ts'
import { OwnHandler } from './own-handler.ts'

/** The groups to be added, by event. */
export type Groups = Readonly<Record<string, object>>

/**
 * What became of containers that were missing or empty, by their path (`hooks/PreToolUse`, or nothing for the root): made
 * by us, or filled where there had been this white space. From the file alone it could not be told.
 */
export const Containers = z.record(z.string(), z.union([z.literal('made'), z.strictObject({ inner: z.string() })]))
export type Containers = Readonly<z.infer<typeof Containers>>

/** @throws HookgateError `settingsMalformed` where hooks are kept in a form that Claude Code does not read either */
export function withGroups(document: JsonDocument, groups: Groups): { text: string; containers: Containers } {
  const { text, root, file } = document
  const layout = layoutOf(document)
  const hooks = valueAt(root, 'hooks')
  const containers: Record<string, Containers[string]> = {}
  const fill = (path: string, container: Node) => {
    if (container.children?.length === 0) containers[path] = { inner: textInside(text, container) }
  }
  const missing = Object.entries(groups).filter(([event]) => hooks === undefined || valueAt(hooks, event) === undefined)
  for (const [event] of missing) containers[`hooks/${event}`] = 'made'
  if (hooks === undefined) {
    fill('', root)
    containers['hooks'] = 'made'
    const value = Object.fromEntries(missing.map(([event, group]) => [event, [group]]))
    return checked(document, applyEdits(text, [append(layout, root, [member('hooks', value)])]), containers)
  }
  if (hooks.type !== 'object') throw malformed(placeAt(text, hooks.offset, file), '`hooks` is no object', mend)
  const edits: Edit[] = []
  for (const [event, group] of Object.entries(groups)) {
    const list = valueAt(hooks, event)
    if (list === undefined) continue
    if (list.type !== 'array') throw malformed(placeAt(text, list.offset, file), `${quoted(event)} is no list`, mend)
    fill(`hooks/${event}`, list)
    edits.push(append(layout, list, [element(group)]))
  }
  if (missing.length > 0) {
    fill('hooks', hooks)
    const items = missing.map(([event, group]) => member(event, [group]))
    edits.push(append(layout, hooks, items))
  }
  return checked(document, applyEdits(text, edits), containers)
}

const mend = 'mend it: Claude Code does not read it either'

/** INVARIANT: what is written parses, and what is ours can be taken out of it again to the byte. */
function checked(document: JsonDocument, text: string, containers: Containers) {
  const again = parseDocument(Buffer.from(text), document.file)
  if (withoutGroups(again, containers).text !== document.text) {
    throw new HookgateError('internal', 'its entries could not be taken out again', { place: { file: document.file } })
  }
  return { text, containers }
}

/**
 * @param containers what was made and filled; where nobody knows, what is left empty is taken for made by us
 * @returns the text without our handlers, and those
 */
export function withoutGroups(
  { text, root }: JsonDocument,
  containers: Containers | undefined,
): { text: string; handlers: readonly OwnHandler[] } {
  const hooks = valueAt(root, 'hooks')
  const handlers = hooks === undefined ? [] : ownHandlers(hooks)
  if (handlers.length === 0) return { text, handlers }
  return { text: withoutHandlers({ text, root }, containers, isOwn), handlers }
}

/** The text without some handlers, and without what they leave empty. */
export function withoutHandlers(
  { text, root }: Pick<JsonDocument, 'text' | 'root'>,
  containers: Containers | undefined,
  isGone: (handler: unknown) => boolean,
): string {
  const hooks = valueAt(root, 'hooks')
  if (hooks === undefined) return text
  const hooksProperty = hooks.parent
  const emptied = (path: string, container: Node): Outcome => {
    const was = containers === undefined && path !== '' ? 'made' : containers?.[path]
    if (was === 'made') return 'gone'
    return [replaceInside(container, was?.inner ?? '')]
  }
  const ofHooks = reduced(
    hooks,
    (property) => {
      const list = property.children?.[1]
      if (list?.type !== 'array') return []
      return reduced(list, reducedGroup(isGone), () => emptied(`hooks/${keyOf(property)}`, list))
    },
    () => emptied('hooks', hooks),
  )
  if (ofHooks !== 'gone') return applyEdits(text, ofHooks)
  const ofRoot = reduced(
    root,
    (property) => (property === hooksProperty ? 'gone' : []),
    () => emptied('', root),
  )
  return applyEdits(text, ofRoot === 'gone' ? [] : ofRoot)
}

/** Either the whole of it is taken out, or some of it. */
type Outcome = 'gone' | Edit[]

/** A group of nothing but these goes whole; from one that others have added to, these are taken. */
const reducedGroup =
  (isGone: (handler: unknown) => boolean) =>
  (group: Node): Outcome => {
    const list = group.type === 'object' ? valueAt(group, 'hooks') : undefined
    if (list?.type !== 'array') return []
    return reduced(
      list,
      (handler) => (isGone(getNodeValue(handler)) ? 'gone' : []),
      () => 'gone',
    )
  }

function reduced(container: Node, reduce: (child: Node) => Outcome, emptied: () => Outcome): Outcome {
  const children = container.children ?? []
  const outcomes = children.map((child) => ({ child, outcome: reduce(child) }))
  const gone = new Set(outcomes.filter(({ outcome }) => outcome === 'gone').map(({ child }) => child))
  if (children.length > 0 && gone.size === children.length) return emptied()
  return [...removeSome(children, gone), ...outcomes.flatMap(({ outcome }) => (outcome === 'gone' ? [] : outcome))]
}

const isOwn = (handler: unknown) => OwnHandler.safeParse(handler).success

/** Our handlers below an event, each with its event. */
export function ownHandlersByEvent({ root }: JsonDocument): ReadonlyMap<string, readonly OwnHandler[]> {
  const properties = valueAt(root, 'hooks')?.children ?? []
  const found = properties.map((property) => [keyOf(property), ownHandlers(property)] as const)
  return new Map(found.filter(([, handlers]) => handlers.length > 0))
}

/** All of ours at or below a node of `hooks`. */
function ownHandlers(node: Node): readonly OwnHandler[] {
  const lists =
    node.type === 'property' ? [node.children?.[1]] : (node.children ?? []).map(({ children }) => children?.[1])
  return lists
    .flatMap((list) => (list?.type === 'array' ? (list.children ?? []) : []))
    .map((group) => (group.type === 'object' ? valueAt(group, 'hooks') : undefined))
    .flatMap((list) => (list?.type === 'array' ? (list.children ?? []) : []))
    .flatMap((handler) => {
      const own = OwnHandler.safeParse(getNodeValue(handler))
      return own.success ? [own.data] : []
    })
}
