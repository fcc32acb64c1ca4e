import { useNavigate } from '@tanstack/react-router';

/** Returns a function that opens the promotion of a build, to a channel if one is named. The address stores both. */
export function usePromotion(): (buildId: string, channelId?: string) => void {
  const navigate = useNavigate();
  return (promote, channel) =>
    void navigate({ to: '.', search: (before) => ({ ...before, promote, channel }), resetScroll: false });
}
