import {
  defaultRangeExtractor,
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/virtual-core'
import type { RefObject } from 'preact'
import { useLayoutEffect, useReducer, useState } from 'preact/hooks'

/** Rows of which only those in sight are in the document. */
interface VirtualRowsAsked {
  readonly count: number
  /** The element that scrolls. */
  readonly scroller: RefObject<HTMLElement | null>
  /** Returns the height of a row in pixels: see `useRootSize`. */
  readonly heightOf: (index: number) => number
  /** Names a row, whatever its place is. */
  readonly keyOf: (index: number) => number | string
  /** A row that stays in the document even if it is out of sight: the one with the focus. */
  readonly kept?: number | undefined
}

/** A row to be rendered at a distance from the top. */
interface VirtualRow {
  readonly index: number
  readonly key: number | string
  readonly start: number
}

interface VirtualRows {
  readonly rows: readonly VirtualRow[]
  readonly totalHeight: number
  /** The first row after those in sight. */
  readonly endIndex: number
  /** Scrolls as little as makes a row visible. */
  show(index: number): void
}

/** Returns the rows that have to be rendered now. The component renders again when others have to be. */
export function useVirtualRows({ count, scroller, heightOf, keyOf, kept }: VirtualRowsAsked): VirtualRows {
  const [, render] = useReducer((turn: number) => turn + 1, 0)
  const options: VirtualizerOptions<HTMLElement, HTMLElement> = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: heightOf,
    getItemKey: keyOf,
    overscan,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => render(undefined),
    rangeExtractor(range) {
      const indices = defaultRangeExtractor(range)
      const isOut = kept !== undefined && kept < count && !indices.includes(kept)
      return isOut ? [...indices, kept].toSorted((a, b) => a - b) : indices
    },
  }
  const [virtualizer] = useState(() => new Virtualizer(options))
  virtualizer.setOptions(options)
  // oxlint-disable-next-line eslint/no-underscore-dangle -- the package's own adapters call both
  useLayoutEffect(() => virtualizer._didMount(), [])
  // oxlint-disable-next-line eslint/no-underscore-dangle -- as above
  useLayoutEffect(() => virtualizer._willUpdate())
  return {
    rows: virtualizer
      .getVirtualItems()
      .map(({ index, key, start }) => ({ index, key: typeof key === 'bigint' ? String(key) : key, start })),
    totalHeight: virtualizer.getTotalSize(),
    endIndex: (virtualizer.range?.endIndex ?? -1) + 1,
    show: (index) => virtualizer.scrollToIndex(index),
  }
}

/** Rows above and below those in sight: enough for a quick turn of the wheel. */
const overscan = 12

/** The size of the window. */
interface RootSize {
  /** Pixels. */
  readonly rem: number
  readonly widthPx: number
  readonly layout: 'phone' | 'tablet' | 'wide'
}

/** Returns the size of the window, and follows it. */
export function useRootSize(): RootSize {
  const [size, setSize] = useState(rootSize)
  useLayoutEffect(() => {
    const update = () =>
      setSize((before) => {
        const now = rootSize()
        return now.rem === before.rem && now.widthPx === before.widthPx ? before : now
      })
    addEventListener('resize', update)
    return () => removeEventListener('resize', update)
  }, [])
  return size
}

const rootSize = () => ({
  rem: Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
  widthPx: innerWidth,
  // The breakpoint of the style sheets.
  layout: matchMedia('(max-width: 50rem)').matches
    ? ('phone' as const)
    : matchMedia('(max-width: 75rem)').matches
      ? ('tablet' as const)
      : ('wide' as const),
})
