/** Returns options of Node with which it takes itself for another version. The machine may have no real one. */
export function asNode(version: string): readonly string[] {
  const script = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
  return ['--import', `data:text/javascript,${encodeURIComponent(script)}`]
}

/** Options of Node with which it takes itself for an older one. */
export const asOldNode = asNode('20.0.0')
