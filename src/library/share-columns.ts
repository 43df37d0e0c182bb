export interface ShareFlags {
  readonly share_twitter: boolean | null | undefined
  readonly share_facebook: boolean | null | undefined
}

/** D41. A flag that is not sent (undefined) keeps its value; null clears it (D32). */
export const shareColumns = ({ share_twitter, share_facebook }: ShareFlags) => ({
  share_twitter: columnOf(share_twitter),
  share_facebook: columnOf(share_facebook),
})

const columnOf = (sent: boolean | null | undefined) =>
  sent === undefined ? undefined : Number(sent ?? false)
