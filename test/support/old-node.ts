const script = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } })"

/** Options of Node with which it takes itself for an older one. The machine may have no real one. */
export const asOldNode = ['--import', `data:text/javascript,${encodeURIComponent(script)}`]
