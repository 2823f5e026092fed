export {
  absoluteIn,
  below,
  type Folder,
  folderIn,
  hereOf,
  knownFolder,
  partOf,
  type PathContext,
  placeFor,
  placeOf,
  sameFolder,
} from './place.ts'
export { heldPaths, type TouchedHow, touchedPath } from './touched.ts'
