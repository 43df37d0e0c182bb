export const mostMinutes = 600

/** How long works of a medium usually are, an episode or the film, where nobody says it (D90). */
export const usualMinutes: Readonly<Record<string, number>> = {
  tv: 24,
  web: 24,
  ova: 30,
  movie: 100,
  other: 15,
}

/** Rounded, as works have it; undefined for what no episode and no film lasts. */
export function minutesIn(seconds: number): number | undefined {
  const minutes = Math.round(seconds / 60)
  return minutes >= 1 && minutes <= mostMinutes ? minutes : undefined
}
