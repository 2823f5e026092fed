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

/** True if a request changes what is said of something, and not the thing: an issue, its labels, a comment. */
export const isOfTalk = ({ args }: Call): boolean =>
  args.some(({ value }) =>
    /(?:\/(?:issues|pulls|discussions|milestones|labels|comments|reviews)\/[^/?]+|\/(?:labels|assignees|requested_reviewers|comments|notes|reactions)(?:\/[^/?]+)?|^\/?notifications\S*|\/(?:merge_requests|issues)\/[^/?]+\/notes\/\d+)$/.test(
      value.split('?', 1)[0] ?? '',
    ),
  )
