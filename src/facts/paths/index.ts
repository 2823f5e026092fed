export { type Place, placeOf } from './place.ts'
export { type TouchedHow, touchedPath } from './touched.ts'
