export { type PathContext, placeOf } from './place.ts'
export { type TouchedHow, touchedPath } from './touched.ts'
