/** A share flag as its column holds it (D41): undefined where it was not sent, so that it stays; null clears it (D32). */
export const shareColumn = (sent: boolean | null | undefined): number | undefined =>
  sent === undefined ? undefined : Number(sent ?? false)
