/** What a person sees who follows a link to an offer that was turned down or withdrawn. */
export const gonePage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="robots" content="noindex">
<title>This offer is gone</title>
<body>
<h1>This offer is gone</h1>
<p>The page behind this link is no longer available.</p>
</body>
</html>
`;
