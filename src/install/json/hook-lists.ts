import { applyEdits, type Edit, getNodeValue, type Node, parseTree } from 'jsonc-parser'
import { HookgateError } from '../../model/errors.ts'
import { quoted } from '../../model/text.ts'
import {
  documentOf,
  type JsonDocument,
  propertyKey,
  malformed,
  valueAt,
  append,
  element,
  hasComments,
  layoutOf,
  member,
  prepend,
  removeSome,
  replaceInside,
  textInside,
} from './edit.ts'

/** The form of an agent's hooks in a file: an object with a list for each event. */
export interface HookLists<Own> {
  /** Where that object stands: below `hooks`, or it is the file itself. */
  readonly at: 'hooks' | 'top'
  /** A list holds handlers, or groups with handlers below `hooks`. */
  readonly holds: 'groups' | 'handlers'
  /** The end of a list at which new entries are put. */
  readonly position: 'first' | 'last'
  /** Recognises a handler of `enable`, whatever has been edited in it since. */
  readonly own: (handler: unknown) => Own | undefined
}

/** The entry that is added to the list of each event. */
export type Entries = Readonly<Record<string, object>>

/** @throws HookgateError `settingsMalformed` where hooks are kept in a form that the agent does not read either */
export function withEntries<Own>(
  document: JsonDocument,
  entries: Readonly<Record<string, unknown>>,
  lists: HookLists<Own>,
): string {
  const { root, placeOf } = document
  const layout = layoutOf(document)
  const hooks = hooksIn(root, lists)
  const path = lists.at === 'top' ? [] : ['hooks']
  const isMissing = (event: string) => hooks === undefined || valueAt(hooks, event) === undefined
  const missing = Object.entries(entries).filter(([event]) => isMissing(event))
  if (hooks === undefined) {
    const value = Object.fromEntries(missing.map(([event, entry]) => [event, [entry]]))
    return checked(document, append(layout, root, [member('hooks', value)]), lists)
  }
  if (hooks.type !== 'object') throw malformed(placeOf(path, 'value'), '`hooks` is not an object', fixIt)
  const put = lists.position === 'first' ? prepend : append
  const edits = Object.entries(entries).flatMap(([event, entry]): readonly Edit[] => {
    const list = valueAt(hooks, event)
    if (list === undefined) return []
    if (list.type === 'array') return put(layout, list, [element(entry)])
    throw malformed(placeOf([...path, event], 'value'), `${quoted(event)} is not a list`, fixIt)
  })
  const added = missing.map(([event, entry]) => member(event, [entry]))
  return checked(document, missing.length === 0 ? edits : [...edits, ...append(layout, hooks, added)], lists)
}

const fixIt = 'fix it: its agent cannot read it either'

const hooksIn = (root: Node, { at }: Pick<HookLists<unknown>, 'at'>) => (at === 'top' ? root : valueAt(root, 'hooks'))

/** INVARIANT: what is written parses, and what is ours can be taken out of it again to the byte. */
function checked<Own>(document: JsonDocument, edits: readonly Edit[], lists: HookLists<Own>): string {
  const text = applyEdits(document.text, [...edits])
  if (withoutEntries(documentOf(document, text), document.text, lists).text === document.text) return text
  throw new HookgateError('internal', 'its entries could not be removed again', { place: { file: document.file } })
}

/**
 * @param before the file's text before hookgate was added: where it had an empty list, an empty one is left. `undefined`
 * where that is not known: a list that is left empty goes
 * @returns the text without our handlers, and those
 */
export function withoutEntries<Own>(
  { text, root }: Pick<JsonDocument, 'text' | 'root'>,
  before: string | undefined,
  lists: HookLists<Own>,
): { text: string; handlers: readonly Own[] } {
  const handlers = handlersIn({ root }, lists).flatMap(({ handler }) => lists.own(handler) ?? [])
  if (handlers.length === 0) return { text, handlers }
  const isOwn = (handler: unknown) => lists.own(handler) !== undefined
  return { text: withoutHandlers({ text, root }, before, isOwn, lists), handlers }
}

/** The text without some handlers, and without what they leave empty. */
export function withoutHandlers(
  { text, root }: Pick<JsonDocument, 'text' | 'root'>,
  before: string | undefined,
  isGone: (handler: unknown) => boolean,
  lists: Pick<HookLists<unknown>, 'at' | 'holds'>,
): string {
  const hooks = hooksIn(root, lists)
  if (hooks === undefined) return text
  const rootBefore = before === undefined ? undefined : parseTree(before)
  const hooksBefore = rootBefore && hooksIn(rootBefore, lists)
  /** A container that was there before stays, and so does one that a comment has been written into. */
  const emptied = (container: Node, was: Node | undefined): Removal => {
    const children = container.children ?? []
    if (hasComments(text, container)) return removeSome(text, container, new Set(children))
    if (was?.children?.length === 0) return [replaceInside(container, textInside(before ?? '', was))]
    return was === undefined && container !== root ? 'gone' : [replaceInside(container, '')]
  }
  const reducedEntry = lists.holds === 'groups' ? reducedGroup(text, isGone) : reducedHandler(isGone)
  const ofHooks = reduced(
    text,
    hooks,
    (property) => {
      const list = property.children?.[1]
      if (list?.type !== 'array') return []
      return reduced(text, list, reducedEntry, () =>
        emptied(list, hooksBefore && valueAt(hooksBefore, propertyKey(property))),
      )
    },
    () => emptied(hooks, hooksBefore),
  )
  if (ofHooks !== 'gone') return applyEdits(text, ofHooks)
  const ofRoot = reduced(
    text,
    root,
    (property) => (property === hooks.parent ? 'gone' : []),
    () => emptied(root, rootBefore),
  )
  return applyEdits(text, ofRoot === 'gone' ? [] : ofRoot)
}

/** Either the whole of it is taken out, or some of it. */
type Removal = 'gone' | Edit[]

const reducedHandler =
  (isGone: (handler: unknown) => boolean) =>
  (handler: Node): Removal =>
    isGone(getNodeValue(handler)) ? 'gone' : []

/** A group of nothing but these goes whole; from one that others have added to, these are taken. */
const reducedGroup =
  (text: string, isGone: (handler: unknown) => boolean) =>
  (group: Node): Removal => {
    const list = group.type === 'object' ? valueAt(group, 'hooks') : undefined
    if (list?.type !== 'array') return []
    return reduced(text, list, reducedHandler(isGone), () => 'gone')
  }

function reduced(text: string, container: Node, reduce: (child: Node) => Removal, emptied: () => Removal): Removal {
  const children = container.children ?? []
  const outcomes = children.map((child) => ({ child, outcome: reduce(child) }))
  const gone = new Set(outcomes.filter(({ outcome }) => outcome === 'gone').map(({ child }) => child))
  if (children.length > 0 && gone.size === children.length) return emptied()
  return [
    ...removeSome(text, container, gone),
    ...outcomes.flatMap(({ outcome }) => (outcome === 'gone' ? [] : outcome)),
  ]
}

/** A handler, and where it stands. */
export interface FoundHandler {
  readonly event: string
  /** The index of its entry in the event's list, and the length of the list. */
  readonly entry: number
  readonly entries: number
  /** Its index in the group. */
  readonly index: number
  readonly handler: unknown
}

/** Everything that stands where a handler does. */
export function handlersIn(
  { root }: Pick<JsonDocument, 'root'>,
  lists: Pick<HookLists<unknown>, 'at' | 'holds'>,
): readonly FoundHandler[] {
  return (hooksIn(root, lists)?.children ?? []).flatMap((property) => {
    const list = property.children?.[1]
    const all = list?.type === 'array' ? (list.children ?? []) : []
    return all.flatMap((each, entry) =>
      handlerNodes(each, lists).map((node, index) => ({
        event: propertyKey(property),
        entry,
        entries: all.length,
        index,
        handler: getNodeValue(node) as unknown,
      })),
    )
  })
}

function handlerNodes(entry: Node, { holds }: Pick<HookLists<unknown>, 'holds'>): readonly Node[] {
  if (holds === 'handlers') return [entry]
  const list = entry.type === 'object' ? valueAt(entry, 'hooks') : undefined
  return list?.type === 'array' ? (list.children ?? []) : []
}
