import { computed, signal } from '@preact/signals'

/** The views of the page, in the order of its navigation. */
export const viewNames = ['now', 'approvals', 'sessions', 'history', 'rules', 'agents', 'replay'] as const
/** The views of one thing, which others lead to. */
const namedViews = ['decision', 'session'] as const
export type ViewName = (typeof viewNames)[number] | (typeof namedViews)[number]

/** The page's address, parsed: `#/decision/ID?project=/a/b`. */
interface PageLocation {
  readonly view: ViewName
  /** The subject of the view, such as the id of a decision. */
  readonly id: string | undefined
  readonly params: Readonly<Record<string, string>>
}

/** The current place; it follows the address. */
export const here = signal<PageLocation>(locationIn(location.hash))
addEventListener('hashchange', () => (here.value = locationIn(location.hash)))

/** Returns the window's title: the view, or the thing that it shows. */
export const pageTitle = signal('')

/** Reads the part of an address after its `#`. What it does not know is the first view. */
function locationIn(hash: string): PageLocation {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  const [name = '', id] = path.split('/')
  const view = [...viewNames, ...namedViews].find((one) => one === name) ?? 'now'
  return {
    view,
    id: id === undefined || id === '' ? undefined : decodeText(id),
    params: Object.fromEntries(new URLSearchParams(query)),
  }
}

/** An address that was typed may have percent signs that stand for nothing. */
function decodeText(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns the address of a place. Parameters that are undefined or empty are left out. */
export function linkTo(
  view: ViewName,
  { id, params = {} }: { readonly id?: string; readonly params?: Readonly<Record<string, string | undefined>> } = {},
): string {
  const given = Object.entries(params).flatMap(([key, value]) => (value ? [[key, value]] : []))
  const query = new URLSearchParams(given).toString()
  return `#/${view}${id === undefined ? '' : `/${encodeURIComponent(id)}`}${query === '' ? '' : `?${query}`}`
}

/** Changes the parameters of the address without a new entry in the browser's history. */
export function setParams(params: Readonly<Record<string, string | undefined>>): void {
  const { view, id } = here.value
  history.replaceState(undefined, '', linkTo(view, { ...(id !== undefined && { id }), params }))
  here.value = locationIn(location.hash)
}

const started = signal('')

/** The project that the page looks at: the one in the address, else the one that `hookgate ui` was started in. */
export const project = {
  /** The one that `hookgate ui` was started in. */
  started: computed(() => started.value),
  current: computed(() => here.value.params['project'] ?? started.value),
  start(folder: string): void {
    started.value = folder
  },
}
