import type { Call } from './calls.ts'

/** Requests by which a client of a forge changes something. */
export const changingRequests = ['api --method=put|-X=put', 'api --method=patch|-X=patch']

/** True if a request is about who may do what, and about keys. */
export const isOfRights = ({ args }: Call): boolean =>
  args.some(({ value }) =>
    /\/(?:collaborators|memberships|members|teams|invitations|permissions|keys|protection|public_members)(?:\/|$)|(?:^|_)permission=|visibility=public|private=false/.test(
      value,
    ),
  )
