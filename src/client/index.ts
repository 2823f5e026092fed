export type { ClientCall } from './call.ts'
export type { Client, ClientKind } from './client.ts'
export { chooseClient, type Choosing, type Chosen } from './choose-client.ts'
export { hookScript } from './hook-script.ts'
