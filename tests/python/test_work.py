"""What takes long: random games, searches, solutions; and that Ctrl-C ends it."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import numpy as np

import zug


class Playouts(unittest.TestCase):
    def test_equal_seeds_give_equal_results(self):
        game = zug.load("connect-four")
        one, two = (game.playouts(2000, seed=5, threads=threads, each=True) for threads in (1, 3))
        self.assertTrue(np.array_equal(one.utilities, two.utilities))
        self.assertTrue(np.array_equal(one.lengths, two.lengths))
        self.assertTrue(np.array_equal(one.mean, two.mean))
        self.assertFalse(np.array_equal(one.lengths, game.playouts(2000, seed=6, each=True).lengths))

    def test_figures_agree_with_the_games(self):
        for name in ("tic-tac-toe", "pig", "chinese-checkers"):
            if name not in zug.games():
                continue
            game = zug.load(name)
            results = game.playouts(600, each=True)
            self.assertEqual(results.games, 600)
            self.assertEqual(results.utilities.shape, (600, len(game.players)))
            np.testing.assert_allclose(results.utilities.mean(axis=0), results.mean, atol=1e-5)
            np.testing.assert_allclose(results.utilities.std(axis=0), results.deviation, atol=1e-4)
            self.assertAlmostEqual(results.lengths.mean(), results.mean_length)

    def test_limits(self):
        game = zug.load("chess")
        self.assertEqual(game.playouts(0).games, 0)
        cut = game.playouts(20, most_plies=5)
        self.assertEqual((cut.cut, cut.plies), (20, 100))
        over = zug.load("tic-tac-toe").initial().after("a1 b1 a2 b2 a3")
        self.assertEqual(over.playouts(10).mean.tolist(), [1, -1])

    def test_games_that_are_only_counted(self):
        for name in ("tic-tac-toe", "chess", "pig"):
            game = zug.load(name)
            games = 200 if name == "chess" else 100_000
            counted, played = (game.playouts(games, seed=3, utilities=utilities) for utilities in (False, True))
            self.assertEqual(counted.games, games)
            self.assertEqual(counted.mean.size, 0)
            self.assertLess(abs(counted.mean_length / played.mean_length - 1), 0.2 if name == "chess" else 0.02)
        cut = game.playouts(50, most_plies=2, utilities=False)
        self.assertEqual((cut.cut, cut.plies), (50, 100))

    def test_threads_of_python_at_the_same_time(self):
        game = zug.load("othello")
        wanted = game.playouts(300).mean.tolist()
        found = []
        threads = [threading.Thread(target=lambda: found.append(game.playouts(300).mean.tolist())) for _ in range(4)]
        for thread in threads:
            thread.start()
        for _ in range(50):
            game.initial().after("d3")
        for thread in threads:
            thread.join()
        self.assertEqual(found, [wanted] * 4)


class Searches(unittest.TestCase):
    def test_a_search(self):
        game = zug.load("tic-tac-toe")
        found = game.player("alphabeta:depth=9").search(game.initial().after("b2 b1"), lines=2)
        self.assertTrue(found.proven)
        self.assertEqual(found.value.tolist(), [1, -1])
        self.assertEqual(len(found.lines), 2)
        self.assertIn(found.move.text, [move.text for move in game.initial().after("b2 b1").legal_moves])

    def test_limits(self):
        game = zug.load("chess")
        player = game.player("alphabeta")
        self.assertEqual(player.search(game.initial(), depth=2).depth, 2)
        self.assertLessEqual(player.search(game.initial(), nodes=500).nodes, 500)

    def test_players_that_do_not_search(self):
        game = zug.load("tic-tac-toe")
        found = game.player("random", seed=3).search(game.initial())
        self.assertIsNone(found.value)
        self.assertEqual(found.move, game.player("random", seed=3).search(game.initial()).move)

    def test_where_there_is_nothing_to_choose(self):
        game = zug.load("tic-tac-toe")
        over = game.initial().after("a1 b1 a2 b2 a3")
        self.assertIsNone(game.player("alphabeta").search(over).move)
        pig = zug.load("pig")
        with self.assertRaisesRegex(zug.Error, "chance"):
            pig.player("expectimax:depth=2").search(pig.initial().after("roll"))


class Solutions(unittest.TestCase):
    def test_a_database(self):
        game = zug.load("tic-tac-toe")
        with tempfile.TemporaryDirectory() as folder:
            solution = game.solve(folder, threads=1)
            self.assertEqual((solution.positions, solution.with_symmetry, solution.remoteness), (5478, 765, 9))
            self.assertTrue(os.path.exists(solution.file))
            self.assertEqual(os.listdir(folder), [os.path.basename(solution.file)])
            database = game.database(folder)
            state = game.initial().after("b2 b1")
            self.assertEqual(database.look_up(state).value.tolist(), [1, -1])
            moves = database.moves(state)
            self.assertEqual(moves[0][1].value[0], 1)
            self.assertEqual(len(moves), 7)
            player = game.player("solved:" + folder)
            self.assertEqual(player.search(state).move.text, moves[0][0].text)
            with self.assertRaisesRegex(zug.Error, "reached"):
                database.look_up(game.position("at=XXX/XXX/XXX"))
            with self.assertRaisesRegex(zug.Error, "another Game"):
                database.look_up(zug.load("tic-tac-toe").initial())
            with self.assertRaises(zug.Error):
                zug.load("hexapawn").database(folder)

    def test_chance(self):
        solution = zug.load("pig", goal=10).solve()
        self.assertIsNone(solution.remoteness)
        self.assertGreater(solution.value[0], 0)

    def test_what_cannot_be_solved(self):
        with self.assertRaises(zug.Error):
            zug.load("tic-tac-toe").solve("/proc/nowhere")


class Interrupts(unittest.TestCase):
    def interrupted(self, code):
        prelude = "import zug, sys\ngame = zug.load('chess')\nprint('ready', flush=True)\n"
        process = subprocess.Popen(
            [sys.executable, "-c", prelude + code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        process.stdout.readline()
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=60)
        self.assertIn("KeyboardInterrupt", error)

    def test_each(self):
        for code in (
            "game.playouts(10**9)",
            "game.player('alphabeta:depth=60').search(game.initial())",
            "zug.load('connect-four').solve()",
        ):
            with self.subTest(code):
                self.interrupted(code)


if __name__ == "__main__":
    unittest.main()
