/** The uploaded picture, else the initial. */
export const avatarUrl = (
  basePath: string,
  { username, avatar_url }: { readonly username: string; readonly avatar_url: string },
): string => {
  if (avatar_url === '') return `${basePath}/avatars/${username}.svg`
  return avatar_url.startsWith('/') ? basePath + avatar_url : avatar_url
}
