export { type Folder, folderIn, knownFolder, partOf, sameFolder } from './folder.ts'
export { below, type PathContext, placeFor, placeOf } from './place.ts'
export { heldPaths, type TouchedHow, touchedPath } from './touched.ts'
export { absoluteIn, hereOf } from './view.ts'
