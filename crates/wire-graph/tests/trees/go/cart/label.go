package cart

import "fmt"

func label(n int) string {
	return fmt.Sprintf("%d items", n)
}
